import { type CodeHolder, findLostCodes, type LostCodes } from '../../clients/promocodes/lost-codes-store.ts';
import { capNow, type FrequencyCap, standingOf } from '../../mailings/frequency-cap.ts';
import { findOthers } from '../../mailings/frequency-cap-store.ts';
import type { Sql } from '../../platform/database/database.ts';
import {
  type Asked,
  type Claim,
  cancelMessages,
  giveBack,
  type LeasedMessage,
  leaseMessages,
} from './claim-store.ts';
import { findTwins, type LoadedMessage, loadMessages } from './load-store.ts';
import { precedence } from './rules.ts';

/** A leased message with the data that sending needs. */
export type ClaimedMessage = LoadedMessage &
  Pick<LeasedMessage, 'in_doubt' | 'mailing_stopped'> & {
    /** The message of the same mailing that the client has in another chat. */
    twin: 'had' | 'open' | null;
    /** Whether the client has had as many mailings as allowed, or may have. */
    standing: 'over' | 'open' | null;
    /** The same, of the mailing's topic. */
    topicStanding: 'over' | 'open' | null;
    /** Why the client could not use its promo codes. */
    lostCodes: LostCodes | null;
  };

/**
 * Leases due messages and loads their data. Messages of a stopped mailing are cancelled instead. A stop is therefore
 * effective before the planner has cancelled a million rows, and no claim has to search behind them.
 */
export async function claimMessages(
  sql: Sql,
  asked: readonly Asked[],
  claim: Claim,
): Promise<ClaimedMessage[]> {
  const taken = await leaseMessages(sql, asked, claim);
  const [leased, stopped] = [
    taken.filter((one) => one.in_doubt || !one.mailing_stopped),
    taken.filter((one) => !one.in_doubt && one.mailing_stopped),
  ];
  try {
    if (stopped.length > 0) await cancelMessages(sql, stopped);
    return leased.length > 0 ? await load(sql, claim, leased) : [];
  } catch (error) {
    await giveBack(
      sql,
      leased.map((one) => ({ ...one, lease: claim.lease })),
    );
    throw error;
  }
}

async function load(
  sql: Sql,
  { lease, now }: Claim,
  leased: readonly LeasedMessage[],
): Promise<ClaimedMessage[]> {
  const loaded = await loadMessages(sql, lease, leased);
  const [twins, standings, topicStandings, lostCodes] = await Promise.all([
    findTwins(sql, loaded),
    findStandings(sql, loaded, now, ({ cap }) => cap && { cap, topic_id: null }),
    findStandings(sql, loaded, now, ({ topic_cap, topic_id }) => topic_cap && { cap: topic_cap, topic_id }),
    findLostCodes(sql, loaded.flatMap(holderOf), now),
  ]);
  const leases = new Map(leased.map((one) => [one.id, one]));
  return loaded.flatMap((message) => {
    const ours = leases.get(message.id);
    if (!ours) return [];
    const { in_doubt, mailing_stopped } = ours;
    return [
      {
        ...message,
        in_doubt,
        mailing_stopped,
        twin: precedence(ours, twins.get(message.id) ?? [], leases),
        standing: standings.get(message.id) ?? null,
        topicStanding: topicStandings.get(message.id) ?? null,
        lostCodes: lostCodes.get(message.id) ?? null,
      },
    ];
  });
}

const holderOf = ({ project_id, id, chat_id, promocodes }: LoadedMessage): CodeHolder[] =>
  promocodes ? [{ project_id, id, chat_id, promocodes }] : [];

/** The standing of each message whose client may have had enough mailings. */
async function findStandings(
  sql: Sql,
  messages: readonly LoadedMessage[],
  now: Date,
  capOf: (message: LoadedMessage) => { cap: FrequencyCap; topic_id: string | null } | null,
) {
  const capped = messages.flatMap((message) => {
    const { project_id, id, profile_id } = message;
    const found = capOf(message);
    return found ? [{ project_id, id, profile_id, topic_id: found.topic_id, ...capNow(found.cap, now) }] : [];
  });
  const others = await findOthers(sql, capped);
  const sameClaim = new Set(messages.map(({ id }) => id));
  return new Map(capped.map(({ id, most }) => [id, standingOf(id, most, others.get(id) ?? [], sameClaim)]));
}
