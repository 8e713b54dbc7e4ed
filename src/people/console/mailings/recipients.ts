import type { Member } from '../../../access/auth/member.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { findRecipients, messagesTo, nextMessages, type RecipientRow } from './recipients-store.ts';
import { type Recipient, RecipientFilters, type RecipientState, Recipients } from './schema.ts';

const pageSize = 100;

/**
 * GET /console/api/mailings/{uuid}/recipients/: a hundred at a time, newest first. `next` of one page is `after` of
 * the next.
 */
export const listRecipients = actionFor<Member>()({
  params: UuidParams,
  query: RecipientFilters,
  response: Recipients,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, query, loaded: { id } }) => {
    const states = query.state ? statesOf[query.state] : null;
    const mailing = { projectId, id };
    const { ids, next } =
      query.search === undefined
        ? await nextMessages(sql, mailing, states, query.after ?? null, pageSize)
        : { ids: await messagesTo(sql, mailing, states, query.search.trim()), next: null };
    const rows = await findRecipients(sql, projectId, ids);
    return { results: rows.map(present), next };
  },
});

/** The corresponding states of messages. */
const statesOf: Record<RecipientState, readonly string[]> = {
  pending: ['PENDING', 'IN_PROCESS'],
  sent: ['SENT'],
  delivered: ['DELIVERED'],
  read: ['READ'],
  undelivered: ['UNDELIVERED', 'ERROR'],
  stopped: ['CANCELLED'],
};

/** What the recipient did, as it counts: with a message that has failed since, nothing. */
export function countedReactions({
  state,
  jumped_at,
  clicked_at,
  replied_at,
}: RecipientRow): Pick<RecipientRow, 'jumped_at' | 'clicked_at' | 'replied_at'> {
  const hasFailed = stateOf(state) === 'undelivered';
  return hasFailed
    ? { jumped_at: null, clicked_at: null, replied_at: null }
    : { jumped_at, clicked_at, replied_at };
}

function present(row: RecipientRow): Recipient {
  const { jumped_at, clicked_at, replied_at } = countedReactions(row);
  return {
    uuid: row.id,
    profile: { uuid: row.profile_id, name: row.name },
    platform: row.platform,
    run: row.mailing_run,
    variant: row.variant,
    state: stateOf(row.state),
    reason: row.state_detail,
    sent_at: iso(row.sent_at),
    delivered_at: iso(row.delivered_at),
    read_at: iso(row.read_at),
    jumped_at: iso(jumped_at),
    clicked_at: iso(clicked_at),
    replied_at: iso(replied_at),
  };
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

const byMessageState = new Map<string, RecipientState>([
  ...statesOf.pending.map((state) => [state, 'pending'] as const),
  ...statesOf.sent.map((state) => [state, 'sent'] as const),
  ...statesOf.delivered.map((state) => [state, 'delivered'] as const),
  ...statesOf.read.map((state) => [state, 'read'] as const),
  ...statesOf.undelivered.map((state) => [state, 'undelivered'] as const),
  ...statesOf.stopped.map((state) => [state, 'stopped'] as const),
]);

/** A message's state as readers see it. */
export const stateOf = (state: string): RecipientState => byMessageState.get(state) ?? 'pending';
