import { templatePlatforms } from '../../channels/registry.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { LeasedMailing } from '../planner-store.ts';
import { linePage } from './page-store.ts';

/** The next phone numbers without a chat for templates, each once. */
export async function unknownNumbers(sql: Sql, held: LeasedMailing, atOnce: number): Promise<string[]> {
  const rows = await sql<{ identifier: string }[]>`
    with ${linePage(sql, held, 'phones', atOnce)}
    select distinct identifier from page
    where not exists (
      select from chats
      where project_id = ${held.project_id} and platform = any (${[...templatePlatforms]}::text[]) and external_id = page.identifier
    )`;
  return rows.map(({ identifier }) => identifier);
}
