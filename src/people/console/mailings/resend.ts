import { findSentVersions } from '../../../mailings/approval-store.ts';
import { formsOf } from '../../../mailings/audience.ts';
import { findDecision } from '../../../mailings/decisions-store.ts';
import { checkMailing, makeMailing } from '../../../mailings/make.ts';
import { type MailingRow, presentMailing } from '../../../mailings/present.ts';
import { Mailing, type MailingCreate } from '../../../mailings/schema.ts';
import { findMailing } from '../../../mailings/store.ts';
import { creation } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Refused } from '../../../platform/problem.ts';
import { withApproval } from './approval-rule.ts';
import { findAgain, mostResent } from './missed.ts';
import { Resend } from './schema.ts';
import { requireTest, sizeOfResend } from './test-rule.ts';

/**
 * POST /console/api/mailings/{uuid}/resend/: resends the mailing to exactly those chats that the last run did not
 * reach and that have not refused it. Of an A/B test everybody gets the variant
 * that was chosen for the rest, or else the first one. A tested or approved scenario is sent in its version of then. Starts
 * at once, under the project's rules for people.
 */
export const resendMailing = creation({
  params: UuidParams,
  body: Resend,
  line: 'searches',
  response: Mailing,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context, principal, body, loaded, id }) => {
    const { projectId } = principal;
    const { started_at: startedAt, state, topic_id: topicId } = loaded;
    if (startedAt === null || state === 'in_process') throw new Refused('The mailing has not ended yet.');
    const chats = await findAgain(context.sql, { projectId, id: loaded.id, startedAt, topicId });
    if (chats.length === 0) throw new Refused('No recipients are left to resend to.');
    if (chats.length > mostResent) throw new Refused(`A resend has at most ${mostResent} recipients.`);
    const lines = chats.map(({ chat_id, variables }, index) => ({
      line: index + 1,
      identifier: chat_id,
      variables,
    }));
    const decision = await findDecision(context.sql, projectId, loaded.id);
    const said = saidBy(loaded, decision?.variant ?? 1);
    const checked = {
      ...(await checkMailing(context, projectId, contentOf(said, body.name), lines)),
      tested_versions: await findSentVersions(context.sql, projectId, loaded.id),
    };
    // To phone numbers a mixed mailing had one form only.
    const forms = formsOf(loaded).length;
    const tested = await requireTest(context, projectId, checked, sizeOfResend(chats.length), forms);
    return makeMailing(context, projectId, id, await withApproval(context, principal, tested), lines);
  },
  recall: async ({ sql, clock }, { projectId }, id) => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, clock.now());
  },
});

/** A variant of an A/B test as a mailing of its own. */
const saidBy = (row: MailingRow, variant: number): MailingRow => ({
  ...row,
  ...row.ab_test?.variants[variant - 2],
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
  topic: row.topic,
});
