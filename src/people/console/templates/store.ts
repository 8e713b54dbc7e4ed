import { awaits, type Template } from '../../../messaging/templates/store.ts';
import type { Sql } from '../../../platform/database/database.ts';

export type ListedRow = Template & {
  approval_detail: string;
  is_provided: boolean;
  waiting_mailings: number;
};

/** Their number, for an envelope. */
export async function countTemplates(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from templates where project_id = ${projectId}`;
  return row.count;
}

/** In the order of their pids. */
export function templatesPage(
  sql: Sql,
  projectId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedRow[]> {
  return sql<ListedRow[]>`
    select pid, body, variables, language, approval, approval_detail, channel_id is not null as is_provided, (
      select count(*)::int from mailings where ${awaits(sql)}
    ) as waiting_mailings
    from templates where project_id = ${projectId} order by pid limit ${limit} offset ${offset}`;
}

/** Whether a channel's provider has the template. */
export async function isProvided(sql: Sql, projectId: string, pid: string): Promise<boolean> {
  const [row] = await sql<{ is_provided: boolean }[]>`
    select channel_id is not null as is_provided from templates where project_id = ${projectId} and pid = ${pid}`;
  return row?.is_provided ?? false;
}
