import type { Sql } from '../../src/platform/database/database.ts';

/**
 * A change of a mailing's state, recorded in the transaction that made it. `open` counts the run's messages that had
 * not ended. `in_flight` are the claimed ones among them.
 */
export type Change = { run: number; state: string; open: number; in_flight: string[] };

/** Makes the database record every change of a mailing's state, from any source. */
export async function watchMailings(sql: Sql): Promise<void> {
  await sql`
    create table watched (
      number bigint generated always as identity, mailing_id uuid, run integer, state text, open bigint, in_flight uuid[]
    )`;
  await sql`
    create function watch_mailing() returns trigger language plpgsql as $$
    begin
      insert into watched (mailing_id, run, state, open, in_flight)
      select new.id, new.run, new.state, count(*) filter (where state in ('PENDING', 'IN_PROCESS')),
        coalesce(array_agg(id) filter (where state = 'IN_PROCESS'), '{}')
      from messages where project_id = new.project_id and mailing_id = new.id and mailing_run = new.run;
      return null;
    end $$`;
  await sql`
    create trigger mailings_watched after update of state on mailings for each row
      when (new.state <> old.state) execute function watch_mailing()`;
}

export const changesOf = (sql: Sql, mailing: string): Promise<Change[]> => sql<Change[]>`
  select run, state, open, in_flight from watched where mailing_id = ${mailing} order by number`;
