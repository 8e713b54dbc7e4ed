import { creation } from '../../platform/http/action.ts';
import { momentOf } from '../../platform/moment.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { findCode } from './codes-store.ts';
import { formOf } from './rules.ts';
import { GeneratedCode, PromocodeGenerate } from './schema.ts';
import { takeFreeCode } from './take-free.ts';
import type { WriteCode } from './write.ts';

/** POST /api/partners/promocodes/generate/. Source: docs/contract.md, section 7. */
export const generateCode = (write: WriteCode) =>
  creation({
    name: 'generatePromocode',
    summary: 'Generate a promo code',
    description: 'Creates a code that is new in the project and stores it as available.',
    line: 'gathered',
    body: PromocodeGenerate,
    response: GeneratedCode,
    status: 200,
    handle: async ({ context, principal, body, id }) => {
      const { code, outcome } = await takeFreeCode(context, write, formOf(body), {
        project_id: principal.projectId,
        id,
        group_id: body.group.toLowerCase(),
        status: 'AVAILABLE',
        issued_chat_id: null,
        issued_at: null,
        expires_at: body.expires_at ? momentOf(body.expires_at) : null,
        created_at: context.clock.now(),
      });
      if (outcome !== 'written') throw invalid('group', messages.missingObject(body.group));
      return { code };
    },
    recall: async ({ sql }, { projectId }, id) => {
      const row = await findCode(sql, projectId, id);
      return row && { code: row.code };
    },
  });
