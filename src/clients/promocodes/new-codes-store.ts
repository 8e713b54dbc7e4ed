import type { Sql } from '../../platform/database/database.ts';

/** A code as a new row. The names are the columns'. */
export type NewCode = {
  project_id: string;
  id: string;
  group_id: string;
  code: string;
  status: 'AVAILABLE' | 'ISSUED';
  issued_chat_id: string | null;
  issued_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
};

/** The outcome of storing a code. `taken`: the project already has this code. */
export type Outcome = 'written' | 'taken' | 'no_group' | 'no_chat';

/**
 * Stores any number of codes of any projects in one statement. Returns the outcome of each, in the same order. No
 * code can spoil the others: groups are locked against deletion meanwhile, and conflicts are skipped. Of equal codes the
 * first is stored. All statements lock in the same order, so that they do not deadlock.
 */
export async function insertCodes(sql: Sql, codes: readonly NewCode[]): Promise<Outcome[]> {
  const rows = await sql<{ id: string; outcome: Outcome }[]>`
    with wanted as materialized (
      select * from jsonb_to_recordset(${sql.json(codes.map((code, place) => ({ ...code, place })))}) as (
        place integer, project_id uuid, id uuid, group_id uuid, code text, status text, issued_chat_id uuid, issued_at timestamptz,
        expires_at timestamptz, created_at timestamptz
      )
    ), held as materialized (
      select project_id, id from promocode_groups
      where (project_id, id) in (select project_id, group_id from wanted)
      order by project_id, id for key share
    ), known as materialized (
      select wanted.*,
        held.id is not null as has_group,
        wanted.issued_chat_id is null or chats.id is not null as has_chat
      from wanted
      left join held on held.project_id = wanted.project_id and held.id = wanted.group_id
      left join chats on chats.project_id = wanted.project_id and chats.id = wanted.issued_chat_id
    ), written as (
      insert into promocodes (
        project_id, id, group_id, code, status, issued_chat_id, issued_at, expires_at, created_at, updated_at
      )
      select
        project_id, id, group_id, code, status, issued_chat_id, issued_at, expires_at, created_at, created_at
      from known where has_group and has_chat
      order by project_id, code collate "C", place
      on conflict do nothing
      returning id
    )
    select known.id, case
      when not has_group then 'no_group'
      when not has_chat then 'no_chat'
      when written.id is null then 'taken'
      else 'written'
    end as outcome
    from known left join written on written.id = known.id`;
  const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]));
  return codes.map(({ id }) => outcomes.get(id) ?? 'taken');
}

/** Others have their turn at the embedded database after each statement, which takes about 20 ms. */
const codesAtOnce = 200;

/** Stores many codes in several statements. After an interruption the first of them are stored. */
export async function insertManyCodes(sql: Sql, codes: readonly NewCode[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < codes.length; from += codesAtOnce) {
    outcomes.push(...(await insertCodes(sql, codes.slice(from, from + codesAtOnce))));
  }
  return outcomes;
}

/** One of these codes that the project does not have, if any. */
export async function findUntaken(
  sql: Sql,
  projectId: string,
  codes: readonly string[],
): Promise<string | undefined> {
  const [row] = await sql<{ code: string }[]>`
    select candidate as code from unnest(${[...codes]}::text[]) as candidate
    where not exists (
      select from promocodes
      where project_id = ${projectId} and promocode_digest(code) = promocode_digest(candidate)
    )
    limit 1`;
  return row?.code;
}
