import type { Sql } from '../../platform/database/database.ts';
import { idsOfPage } from '../../platform/database/page.ts';
import { countRows } from '../../platform/database/row-counts.ts';
import type { Slice } from '../../platform/outbound/nearer-end.ts';
import type { ProfileRow } from './present.ts';
import type { ProfileFilters } from './schema.ts';
import { knownBy, type Search } from './search-store.ts';

const columns = (sql: Sql) => sql`
  id, external_id, phone_number, email, name, timezone, pda_agreed, tags, attrs, created_at, updated_at,
  -- As one value. An array of values costs the program four times as much, and a client may have thousands of chats.
  coalesce((
    select json_agg(json_build_object('uuid', chats.id, 'platform', chats.platform)
      order by chats.last_active_at desc, chats.id)
    from chats where chats.project_id = profiles.project_id and chats.profile_id = profiles.id
  ), '[]') as chats`;

/** `phone_number` is in E.164. */
export type ProfileKey =
  | { id: string }
  | { external_id: string }
  | { phone_number: string }
  | { chat_id: string };

function named(sql: Sql, projectId: string, key: ProfileKey) {
  if ('id' in key) return sql`id = ${key.id}`;
  if ('external_id' in key) return sql`external_id = ${key.external_id}`;
  if ('phone_number' in key) return sql`phone_number = ${key.phone_number}`;
  return sql`id = (select profile_id from chats where project_id = ${projectId} and id = ${key.chat_id})`;
}

export async function findProfile(
  sql: Sql,
  projectId: string,
  key: ProfileKey,
): Promise<ProfileRow | undefined> {
  const [row] = await sql<ProfileRow[]>`
    select ${columns(sql)} from profiles where project_id = ${projectId} and ${named(sql, projectId, key)}`;
  return row;
}

export async function findProfileId(
  sql: Sql,
  projectId: string,
  key: ProfileKey,
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from profiles where project_id = ${projectId} and ${named(sql, projectId, key)}`;
  return row;
}

/** The API's filters, and for people a prefix search over the fields that identify a client. */
export type ListFilters = ProfileFilters & { search?: Search };

/** The ids of the profiles of a list. A tag without other filters uses a separate index. */
function matching(sql: Sql, projectId: string, { phone_number, external_id, tag, search }: ListFilters) {
  if (search !== undefined) return knownBy(sql, projectId, { tag, ...search });
  if (tag !== undefined && isAlone({ phone_number, external_id })) {
    return sql`select profile_id as id from profile_tags where project_id = ${projectId} and tag = ${tag}`;
  }
  return sql`
    select id from profiles where project_id = ${projectId}
    ${phone_number === undefined ? sql`` : sql`and phone_number = ${phone_number}`}
    ${external_id === undefined ? sql`` : sql`and external_id = ${external_id}`}
    ${tag === undefined ? sql`` : sql`and tags @> array[${tag}]`}`;
}

const isAlone = ({ phone_number, external_id }: ProfileFilters): boolean =>
  phone_number === undefined && external_id === undefined;

/** Newest first. `count` is the number of profiles. */
export function profilesPage(
  sql: Sql,
  projectId: string,
  filters: ListFilters,
  count: number,
  page: Slice,
): Promise<ProfileRow[]> {
  return sql<ProfileRow[]>`
    select ${columns(sql)} from profiles
    where project_id = ${projectId} and id = any (${idsOfPage(sql, matching(sql, projectId, filters), count, page)})
    order by id desc`;
}

export async function countProfiles(sql: Sql, projectId: string, filters: ListFilters): Promise<number> {
  const { tag, search, ...unique } = filters;
  if (search === undefined && isAlone(unique)) {
    return tag === undefined
      ? countRows(sql, projectId, 'profiles')
      : countRows(sql, projectId, 'profile_tags', tag);
  }
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${matching(sql, projectId, filters)}) as matching`;
  return row.count;
}

export const uniqueFields = ['phone_number', 'external_id'] as const;

type Unique = (typeof uniqueFields)[number];

/** The fields whose new value another profile has. */
export async function takenFields(
  sql: Sql,
  projectId: string,
  id: string,
  { phone_number, external_id }: { [Field in Unique]?: string | null | undefined },
): Promise<Unique[]> {
  const [row] = await sql<[{ taken: Unique[] }]>`
    select array(
      select 'phone_number' from profiles
      where project_id = ${projectId} and phone_number = ${phone_number ?? null} and id <> ${id}
      union all
      select 'external_id' from profiles
      where project_id = ${projectId} and external_id = ${external_id ?? null} and id <> ${id}
    ) as taken`;
  return row.taken;
}
