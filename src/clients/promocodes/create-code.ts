import { creation } from '../../platform/http/action.ts';
import { momentOf } from '../../platform/moment.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { findCode } from './codes-store.ts';
import type { NewCode } from './new-codes-store.ts';
import { presentCreated } from './present.ts';
import { CreatedPromocode, PromocodeCreate } from './schema.ts';
import type { WriteCode } from './write.ts';

/** POST /api/partners/promocodes/. Source: docs/contract.md, section 7. */
export const createCode = (write: WriteCode) =>
  creation({
    name: 'createPromocode',
    summary: 'Create a promo code',
    description: 'With `issued_chat` the code is issued to that chat at once.',
    line: 'gathered',
    body: PromocodeCreate,
    response: CreatedPromocode,
    handle: async ({ context, principal, body, id }) => {
      const now = context.clock.now();
      const chat = body.issued_chat?.toLowerCase() ?? null;
      const code: NewCode = {
        project_id: principal.projectId,
        id,
        group_id: body.group.toLowerCase(),
        code: body.code,
        status: chat ? 'ISSUED' : 'AVAILABLE',
        issued_chat_id: chat,
        issued_at: chat ? now : null,
        expires_at: body.expires_at ? momentOf(body.expires_at) : null,
        created_at: now,
      };
      switch (await write(code)) {
        case 'written':
          return presentCreated(code);
        case 'taken':
          throw invalid('code', messages.unique);
        case 'no_group':
          throw invalid('group', messages.missingObject(body.group));
        case 'no_chat':
          throw invalid('issued_chat', messages.missingObject(body.issued_chat ?? ''));
      }
    },
    recall: async ({ sql }, { projectId }, id) => {
      const row = await findCode(sql, projectId, id);
      return row && presentCreated(row);
    },
  });
