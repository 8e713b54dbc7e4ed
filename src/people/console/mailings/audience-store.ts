import type { Platform } from '../../../channels/contract/platforms.ts';
import type { QueuedType } from '../../../mailings/audience.ts';
import type { Caps } from '../../../mailings/frequency-cap.ts';
import { whyOver } from '../../../mailings/frequency-cap-store.ts';
import type { IdentifierField } from '../../../mailings/identifiers.ts';
import { namedPeople, profilePage } from '../../../mailings/people-store.ts';
import { bestCte, type Choice, heldToWork } from '../../../mailings/recipients-store.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { nilUuid } from '../../../platform/id.ts';

/**
 * Equal recipients. `timezone` is their own, null if it is unknown. `quiet_until` is the end of their quiet hours, null
 * if they are not then.
 */
export type Group = {
  channel_id: string;
  platform: Platform;
  content_type: QueuedType;
  timezone: string | null;
  quiet_until: string | null;
  recipients: number;
  /** Those of them who have had as many mailings as allowed. */
  capped: number;
};

/** The list determines the chats. */
export type Question = Omit<Choice, 'chats' | 'also'> & { caps: Caps };

export type Part = {
  /** The last profile that was read. Null when there was none left. */
  cursor: string | null;
  /** Profiles or lines that were read. */
  looked: number;
  groups: Group[];
  first: { chat_id: string; platform: Platform; content_type: QueuedType }[];
};

/** The recipients among the next profiles of a project. */
export function partOfEverybody(
  sql: Sql,
  choice: Question,
  after: string | null,
  atOnce: number,
): Promise<Part> {
  return partOf(
    sql,
    { ...choice, chats: null },
    profilePage(sql, choice.projectId, after, atOnce),
    sql`(select cursor from reached)`,
  );
}

/**
 * The recipients among the clients that a part of a list names. A part that names chats has all named chats of a
 * client.
 */
export function partOfList(
  sql: Sql,
  choice: Question,
  field: IdentifierField,
  identifiers: readonly string[],
): Promise<Part> {
  const people = sql`
    page as materialized (
      select line::integer, identifier, null::jsonb as variables
      from unnest(${[...identifiers]}::text[]) with ordinality as line (identifier, line)
    ),
    ${namedPeople(sql, { projectId: choice.projectId, list: 'array', field })}`;
  const chats = field === 'CHAT_UUID' ? sql`chats.id::text in (select identifier from page)` : null;
  return partOf(sql, { ...choice, chats }, people, sql`null::text`);
}

/** A larger table has a smaller share of its blocks read, so that the statement stays short. */
const blocksOfSample = 1_000;

/** Profiles of the project behind one, in any order. Each is as probable as the others. */
export async function randomProfiles(
  sql: Sql,
  projectId: string,
  { after, most }: { after: string | null; most: number },
): Promise<string[]> {
  const blocks = sql`(pg_relation_size('profiles') / current_setting('block_size')::numeric)`;
  const rows = await sql<{ id: string }[]>`
    select id from profiles tablesample system (least(100, 100 * ${blocksOfSample}::numeric / greatest(1, ${blocks})))
    where project_id = ${projectId} and id > ${after ?? nilUuid}::uuid
    order by random() limit ${most}`;
  return rows.map(({ id }) => id);
}

/** Throws `TooMuchWork` for a filter that exceeds its budget. */
async function partOf(
  sql: Sql,
  choice: Question & Pick<Choice, 'chats'>,
  people: Fragment,
  cursor: Fragment,
): Promise<Part> {
  const { projectId, topicId, caps } = choice;
  const over = whyOver(sql, { projectId, profileId: sql`profiles.id`, topicId }, caps);
  const [row] = await heldToWork(sql<[Part]>`
    with ${people},
    ${bestCte(sql, { ...choice, also: sql`${over} as over` })},
    alike as (
      select channel_id, platform, content_type, people.timezone, iso(quiet_until) as quiet_until,
        count(*)::int as recipients, count(over)::int as capped
      from best join people on people.id = best.profile_id and people.line is not distinct from best.line
      group by 1, 2, 3, 4, 5
    )
    select ${cursor} as cursor, (select count(*)::int from page) as looked,
      coalesce((select jsonb_agg(alike) from alike), '[]') as groups,
      coalesce((
        select jsonb_agg(first) from (select chat_id, platform, content_type from best order by profile_id limit 3) as first
      ), '[]') as first`);
  return row;
}

/** The existing chats among these chats of the project, each with its client. */
export function clientsOfChats(
  sql: Sql,
  projectId: string,
  chats: readonly string[],
): Promise<{ id: string; profile_id: string }[]> {
  return sql`
    select id, profile_id from chats where project_id = ${projectId} and id = any (${[...chats]}::uuid[])`;
}
