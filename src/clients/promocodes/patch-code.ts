import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { Invalid, invalid, messages, NotFound } from '../../platform/problem.ts';
import { changeCode, findCode } from './codes-store.ts';
import { presentCode } from './present.ts';
import { changeOf, uuidOf } from './rules.ts';
import { Promocode, PromocodePatch } from './schema.ts';

/** PATCH /api/partners/promocodes/{uuid}/. Source: docs/contract.md, section 7. */
export const patchCode = action({
  name: 'updatePromocode',
  summary: 'Change a promo code',
  description: '`ISSUED` without `issued_at` means now; `AVAILABLE` takes the code back from its chat.',
  params: UuidParams,
  body: PromocodePatch,
  response: Promocode,
  load: ({ sql }, { projectId }, { uuid }) => findCode(sql, projectId, uuid),
  handle: async ({ context: { sql, clock }, principal: { projectId }, body, loaded }) => {
    const changed = await changeCode(sql, projectId, loaded.id, changeOf(body), clock.now());
    switch (changed) {
      case 'gone':
        throw new NotFound();
      case 'taken':
        throw invalid('code', messages.unique);
      case 'no_group':
        throw missing('group', body);
      case 'no_chat':
        throw missing('issued_chat', body);
      default:
        return presentCode(changed);
    }
  },
});

/** The complaint about a missing object, placed in the field or in its `uuid`, as the body names it. */
function missing(field: 'group' | 'issued_chat', body: PromocodePatch): Invalid {
  const named = body[field];
  const complaint = [messages.missingObject(uuidOf(named) ?? '')];
  return new Invalid({ [field]: typeof named === 'string' ? complaint : { uuid: complaint } });
}
