import { hasUnsubscribed, unsubscribed } from '../../messaging/chats/unsubscribe-store.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import { type Audience, contentTypesOf, platformsOf } from '../audience.ts';
import { type CapNow, hasHadEnough } from '../frequency-cap-store.ts';
import type { LeasedMailing } from '../planner-store.ts';
import type { QuietEnds } from '../quiet-hours.ts';
import { bestCte } from '../recipients-store.ts';
import { isInArray, isMeant } from './page-store.ts';

type Chosen = {
  audience: Audience;
  /** If set, chooses none of these lines or profiles, for this reason. */
  parkedFor: string | null;
  /** Null without quiet hours. */
  quiet: QuietEnds | null;
  /** Null without a cap. */
  cap: CapNow | null;
};

/**
 * `chosen`: for each of `people` the most recently active chat of the mailing's platforms, with its message's id and
 * type. `is_over` says whether the client has had enough mailings.
 */
export function recipientCtes(
  sql: Sql,
  held: LeasedMailing,
  { audience, parkedFor, quiet, cap }: Chosen,
): Fragment {
  const { list, filter } = audience;
  const isNamedTwice = audience.isInArray ? isInArray(sql, held) : null;
  return sql`
    ${bestCte(sql, {
      projectId: held.project_id,
      list,
      filter,
      platforms: platformsOf(held),
      contentTypes: contentTypesOf(held),
      chats: isMeant(sql, held, audience),
      besides: sql`${parkedFor === null} ${isNamedTwice ? sql`and ${isNamedTwice}` : sql``}`,
      quiet,
      also: sql`${cap ? hasHadEnough(sql, { projectId: held.project_id, profileId: sql`profiles.id`, cap }) : sql`false`} as is_over`,
    })},
    chosen as (
      select best.*, mailing_message_id(${held.started_at}, ${held.id}, ${held.run}, profile_id) as message_id
      from best
    )`;
}

const noWay = {
  client: 'No chat of this client can be written to.',
  chat: 'This chat cannot be written to.',
};

/**
 * `problem`: the lines that reach no one, and the reason. Recipients that the rest of the audience excludes are not
 * problems.
 */
export function problemCte(
  sql: Sql,
  held: LeasedMailing,
  { audience, parkedFor }: Pick<Chosen, 'audience' | 'parkedFor'>,
): Fragment {
  const { list, filter, isInArray } = audience;
  if (list === null) {
    const line = sql`${(held.progress.problems ?? 0) + 1}::integer`;
    return sql`
      problem as (
        select ${line} as line, id::text as identifier, ${parkedFor}::text as reason from page
        where ${parkedFor !== null}
      )`;
  }
  if (parkedFor !== null) {
    return sql`problem as (select line, identifier, ${parkedFor}::text as reason from page)`;
  }
  const isAlone = filter === null && !isInArray;
  const namesChats = list !== 'phones' && held.customer_filter_field === 'CHAT_UUID';
  // Not joins: the planner takes a list for a short one, and would compare each line with each.
  return sql`
    problem as (
      select line, identifier,
        case when not is_known then 'Nobody is known by this.' when has_left then ${unsubscribed}
          else ${namesChats ? noWay.chat : noWay.client} end as reason
      from (
        select line, identifier, line in (select line from people) as is_known,
          line in (
            select line from people where ${hasUnsubscribed(sql, sql`people.project_id`, sql`people.id`)}
          ) as has_left,
          line in (select line from people where people.id not in (select profile_id from chosen)) as is_unreached
        from page
      ) as told
      where not is_known or (${isAlone} and is_unreached)
    )`;
}
