import type { Platform } from '../../channels/contract/platforms.ts';
import { smallAscii } from '../../platform/ascii.ts';
import type { Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import { idsOfPage } from '../../platform/database/page.ts';
import type { Slice } from '../../platform/outbound/nearer-end.ts';
import type { Address } from './suppressions.ts';

export type Row = {
  id: string;
  address: string;
  platform: Platform | null;
  added_at: Date;
  way: 'operator' | 'import';
};

const columns = (sql: Sql) => sql`id, address, nullif(platform, '') as platform, added_at, way`;

export type New = Address & { id: string };

/** Adds addresses, and returns the number of those that were not on the list. */
export function insertSuppressions(
  sql: Sql,
  projectId: string,
  addresses: readonly New[],
  { way, now }: { way: Row['way']; now: Date },
): Promise<number> {
  const rows = addresses.map(({ id, address, platform }) => ({ id, address, platform: platform ?? '' }));
  return sql`
    insert into suppressions (project_id, id, address, platform, added_at, way)
    select ${projectId}, id, address, platform, ${now}, ${way}
    from ${fewRows(sql, rows, 'given', sql`id uuid, address text, platform text`)}
    order by address collate "C", platform
    on conflict (project_id, address, platform) do nothing`.count();
}

/** Newest first, of `count` addresses. */
export function suppressionsPage(sql: Sql, projectId: string, count: number, page: Slice): Promise<Row[]> {
  const rows = sql`select id from suppressions where project_id = ${projectId}`;
  return sql<Row[]>`
    select ${columns(sql)} from suppressions
    where project_id = ${projectId} and id = any (${idsOfPage(sql, rows, count, page)})
    order by id desc`;
}

/** A search looks no further: nobody reads more. */
export const searchReach = 1_000;

/** The addresses that begin with the text. A number may lack its plus. */
export function suppressionsBeginning(sql: Sql, projectId: string, text: string): Promise<Row[]> {
  const beginnings = [text, smallAscii(text), ...(/^\d/.test(text) ? [`+${text}`] : [])];
  const found = [...new Set(beginnings)]
    .map(
      (beginning) => sql`(
        select * from suppressions
        where project_id = ${projectId} and address >= ${beginning}
          and address < ${`${beginning}\u{10ffff}`}
        order by address limit ${searchReach}
      )`,
    )
    .reduce((before, one) => sql`${before} union ${one}`);
  return sql<
    Row[]
  >`select ${columns(sql)} from (${found}) as found order by address, platform limit ${searchReach}`;
}

/** The next addresses behind an id, in the order in which they were added. */
export function suppressionsBehind(sql: Sql, projectId: string, id: string, limit: number): Promise<Row[]> {
  return sql<Row[]>`
    select ${columns(sql)} from suppressions where project_id = ${projectId} and id > ${id} order by id limit ${limit}`;
}

/** Whether the address was there. */
export async function deleteSuppression(sql: Sql, projectId: string, id: string): Promise<boolean> {
  return (await sql`delete from suppressions where project_id = ${projectId} and id = ${id}`.count()) > 0;
}
