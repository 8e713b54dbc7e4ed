import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { findCode } from './codes-store.ts';
import { presentCode } from './present.ts';
import { Promocode } from './schema.ts';

/** GET /api/partners/promocodes/{uuid}/. Source: docs/contract.md, section 7. */
export const readCode = action({
  name: 'readPromocode',
  summary: 'Read a promo code',
  params: UuidParams,
  response: Promocode,
  load: ({ sql }, { projectId }, { uuid }) => findCode(sql, projectId, uuid),
  handle: async ({ loaded }) => presentCode(loaded),
});
