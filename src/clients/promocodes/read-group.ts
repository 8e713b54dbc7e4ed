import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { findGroup } from './groups-store.ts';
import { presentGroup } from './present.ts';
import { PromocodeGroup } from './schema.ts';

/** GET /api/partners/promocode-groups/{uuid}/. Source: docs/contract.md, section 7. */
export const readGroup = action({
  name: 'readPromocodeGroup',
  summary: 'Read a group',
  params: UuidParams,
  response: PromocodeGroup,
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ loaded }) => presentGroup(loaded),
});
