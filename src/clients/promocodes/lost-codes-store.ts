import type { Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';

/** A message with the codes that were taken for it: `{"<group's name>": "CODE"}`. */
export type CodeHolder = {
  project_id: string;
  id: string;
  chat_id: string;
  promocodes: { [group: string]: string };
};

/** `lost`: a code was changed, deleted, made available or issued to somebody else. */
export type LostCodes = 'expired' | 'lost';

/**
 * The messages whose codes cannot be used any more. A message has its codes as long as they are reserved for it, or a
 * person issued them to its chat. Reserved codes may be without a name: a step and a text may use one group.
 */
export async function findLostCodes(
  sql: Sql,
  holders: readonly CodeHolder[],
  now: Date,
): Promise<Map<string, LostCodes>> {
  if (holders.length === 0) return new Map();
  const columns = sql`project_id uuid, id uuid, chat_id uuid, promocodes jsonb`;
  const rows = await sql<{ id: string; is_lost: boolean }[]>`
    select few.id, bool_or(codes.is_lost) as is_lost
    from ${fewRows(sql, holders, 'few', columns)}
    cross join lateral (
      select held.id is null as is_lost, held.expires_at
      from jsonb_each_text(few.promocodes) as named
      left join lateral (
        select id, expires_at from promocodes
        where project_id = few.project_id and promocode_digest(code) = promocode_digest(named.value)
          and status = 'ISSUED'
          and (reserved_for = few.id or reserved_for is null and issued_chat_id = few.chat_id)
        offset 0
      ) as held on true
      union all
      (
        select false, expires_at from promocodes
        where project_id = few.project_id and reserved_for = few.id offset 0
      )
    ) as codes
    where codes.is_lost or codes.expires_at <= ${now}
    group by few.id`;
  return new Map(rows.map(({ id, is_lost }) => [id, is_lost ? 'lost' : 'expired']));
}
