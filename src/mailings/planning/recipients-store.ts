import { hasList, whyNot } from '../../clients/consent/refusal-store.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import { drawnVariant, isSampled } from '../ab-test/lots-store.ts';
import type { AbTest } from '../ab-test/schema.ts';
import { type Audience, contentTypesOf, platformsOf } from '../audience.ts';
import type { Caps } from '../frequency-cap.ts';
import { whyOver } from '../frequency-cap-store.ts';
import type { LeasedMailing } from '../planner-store.ts';
import type { QuietEnds } from '../quiet-hours.ts';
import { bestCte } from '../recipients-store.ts';
import { isInArray, isMeant } from './page-store.ts';

/** A part of an A/B test, or all of it. */
export type Draw =
  | { part: 'all'; test: AbTest }
  | { part: 'sample'; test: AbTest; percent: number }
  | { part: 'rest'; variant: number };

type Chosen = Caps & {
  audience: Audience;
  /** If set, chooses none of these lines or profiles, for this reason. */
  parkedFor: string | null;
  /** Null without quiet hours. */
  quiet: QuietEnds | null;
  /** Null outside of an A/B test. */
  draw: Draw | null;
};

/**
 * `chosen`: for each of `people` the most recently active chat of the mailing's platforms, with its message's id and
 * type. `is_over` says whether the client has had enough mailings, and `over` of which. `variant` is null outside of
 * an A/B test. The rest of a test is everybody: who belonged to the sample has a message.
 */
export function recipientCtes(
  sql: Sql,
  held: LeasedMailing,
  { audience, parkedFor, quiet, draw, ...caps }: Chosen,
): Fragment {
  const { list, filter } = audience;
  const isNamedTwice = audience.isInArray ? isInArray(sql, held) : null;
  return sql`
    ${bestCte(sql, {
      projectId: held.project_id,
      list,
      filter,
      topicId: held.topic_id,
      platforms: platformsOf(held),
      contentTypes: contentTypesOf(held),
      chats: isMeant(sql, held, audience),
      besides: sql`${parkedFor === null} ${isNamedTwice ? sql`and ${isNamedTwice}` : sql``}
        ${draw?.part === 'sample' ? sql`and ${isSampled(sql, draw.percent, held.id, sql`profiles.id`)}` : sql``}`,
      quiet,
      also: sql`${whyOver(sql, { projectId: held.project_id, profileId: sql`profiles.id`, topicId: held.topic_id }, caps)} as over`,
    })},
    chosen as (
      select best.*, over is not null as is_over, ${messageId(sql, held, sql`profile_id`)} as message_id, ${variantOf(sql, held, draw)} as variant
      from best
    )`;
}

const messageId = (sql: Sql, { started_at, id, run }: LeasedMailing, profileId: Fragment) => sql`
  mailing_message_id(${started_at}, ${id}, ${run}, ${profileId})`;

const variantOf = (sql: Sql, { id }: LeasedMailing, draw: Draw | null): Fragment => {
  if (draw === null) return sql`null::smallint`;
  return draw.part === 'rest'
    ? sql`${draw.variant}::smallint`
    : drawnVariant(sql, draw.test, id, sql`profile_id`);
};

const noWay = {
  client: 'No chat of this client can be written to.',
  chat: 'This chat cannot be written to.',
};

/**
 * `problem`: the lines that reach no one, and the reason. Recipients that the rest of the audience excludes are not
 * problems, and neither are those with a message of this run. Of an A/B test none is a problem before the rest is planned.
 */
export function problemCte(
  sql: Sql,
  held: LeasedMailing,
  { audience, parkedFor, draw }: Pick<Chosen, 'audience' | 'parkedFor' | 'draw'>,
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
  const isAlone = filter === null && !isInArray && draw?.part !== 'sample';
  const namesChats = list !== 'phones' && held.customer_filter_field === 'CHAT_UUID';
  const client = { projectId: sql`people.project_id`, profileId: sql`people.id` };
  const rule = {
    topicId: held.topic_id === null ? null : sql`${held.topic_id}::uuid`,
    hasList: hasList(sql, sql`${held.project_id}`),
  };
  // Not joins: the planner takes a list for a short one, and would compare each line with each.
  return sql`
    unreached as materialized (
      select line, ${whyNot(sql, client, rule)} as why from people
      where people.id not in (select profile_id from chosen) and not exists (
        select from messages
        where messages.project_id = ${held.project_id} and messages.id = ${messageId(sql, held, sql`people.id`)}
      )
    ),
    barred as (select jsonb_object_agg(line, why) as reasons from unreached where why is not null),
    problem as (
      select line, identifier,
        case when not is_known then 'Nobody is known by this.'
          else coalesce(why, ${namesChats ? noWay.chat : noWay.client}) end as reason
      from (
        select line, identifier, line in (select line from people) as is_known,
          (select reasons from barred) ->> line::text as why,
          line in (select line from unreached) as is_unreached
        from page
      ) as told
      where ${draw?.part !== 'sample'} and not is_known or (${isAlone} and is_unreached)
    )`;
}
