import type { Sql } from '../../../platform/database/database.ts';
import { nilUuid } from '../../../platform/id.ts';
import { type FailedRow, findFailed, type Run, type Variables } from './resend-store.ts';
import type { Failures } from './schema.ts';

/** The maximum for a list of identifiers. */
export const mostResent = 100_000;

const shownReasons = 20;
/** Each looks up a client's chats and their messages. Others have their turn at the database between two pages. */
const pageOf = 1_000;

/** The failed messages of a run, page by page, one more than a resend may have. */
async function* pagesOf(sql: Sql, run: Run, withVariables: boolean): AsyncGenerator<FailedRow[]> {
  let after = nilUuid;
  for (let left = mostResent + 1; left > 0; left -= pageOf) {
    const atMost = Math.min(left, pageOf);
    const rows = await findFailed(sql, run, { after, atMost, withVariables });
    yield rows;
    if (rows.length < atMost) return;
    after = rows.at(-1)?.id ?? after;
  }
}

const canGetIt = ({ is_refused, is_reached }: FailedRow): boolean => !is_refused && !is_reached;

/** The reasons of a run's failures, the most frequent first, and how many clients a resend would reach. */
export async function countFailures(sql: Sql, run: Run): Promise<Failures> {
  const counts = new Map<string, number>();
  const resendable = new Set<string>();
  let refused = 0;
  for await (const rows of pagesOf(sql, run, false)) {
    for (const row of rows) {
      counts.set(row.state_detail, (counts.get(row.state_detail) ?? 0) + 1);
      if (row.is_refused) refused += 1;
      if (canGetIt(row)) resendable.add(row.profile_id);
    }
  }
  const reasons = [...counts].map(([reason, count]) => ({ reason, count }));
  reasons.sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
  return { reasons: reasons.slice(0, shownReasons), resendable: resendable.size, refused };
}

export type Again = { chat_id: string; variables: Variables };

/** The chats for a resend, one for each client, with their line of the file. In the order of the clients. */
export async function findAgain(sql: Sql, run: Run): Promise<Again[]> {
  const chats = new Map<string, Again>();
  for await (const rows of pagesOf(sql, run, true)) {
    for (const row of rows.filter(canGetIt)) {
      const { profile_id, chat_id, variables } = row;
      if (!chats.has(profile_id)) chats.set(profile_id, { chat_id, variables });
    }
  }
  return [...chats].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, chat]) => chat);
}
