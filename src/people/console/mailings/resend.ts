import { makeMailing } from '../../../mailings/make.ts';
import { type MailingRow, presentMailing } from '../../../mailings/present.ts';
import { Mailing, type MailingCreate } from '../../../mailings/schema.ts';
import { findMailing } from '../../../mailings/store.ts';
import { creation } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Refused } from '../../../platform/problem.ts';
import { findAgain, mostResent } from './resend-store.ts';
import { Resend } from './schema.ts';

/**
 * POST /console/api/mailings/{uuid}/resend/: resends the mailing to exactly those chats that the last run did not
 * reach and that have not refused it. Starts at once.
 */
export const resendMailing = creation({
  params: UuidParams,
  body: Resend,
  response: Mailing,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context, principal: { projectId }, body, loaded, id }) => {
    const { started_at: startedAt, state } = loaded;
    if (startedAt === null || state === 'in_process') throw new Refused('The mailing has not ended yet.');
    const chats = await findAgain(context.sql, { projectId, id: loaded.id, startedAt });
    if (chats.length === 0) throw new Refused('No recipients are left to resend to.');
    if (chats.length > mostResent) throw new Refused(`A resend has at most ${mostResent} recipients.`);
    const lines = chats.map(({ chat_id, variables }, index) => ({
      line: index + 1,
      identifier: chat_id,
      variables,
    }));
    return makeMailing(context, projectId, id, contentOf(loaded, body.name), lines);
  },
  recall: async ({ sql, clock }, { projectId }, id) => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, clock.now());
  },
});

const contentOf = (row: MailingRow, name: string): MailingCreate => ({
  name,
  content_type: row.content_type,
  text: row.text,
  node: row.node_id,
  node_get_params: row.node_get_params,
  template_whatsapp: row.template_whatsapp,
  template_variables: row.template_variables,
  customer_filter_field: 'CHAT_UUID',
  customer_filter_array: [],
  origin: row.origin,
});
