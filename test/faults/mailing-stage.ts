import type { Sql } from '../../src/platform/database/database.ts';

export const stages = ['fetching', 'reading', 'planning', 'sending', 'completing', 'stopping'] as const;
export type Stage = (typeof stages)[number];

/** The stage of a mailing; `waiting` before it has begun, and `ended` afterwards. */
export async function stageOf(sql: Sql, id: string): Promise<Stage | 'ended' | 'waiting'> {
  const [row] = await sql<{ state: string; stage: string | null; has_lines: boolean; is_open: boolean }[]>`
    select state, stage,
      exists (
        select from mailing_identifiers lines
        where lines.project_id = mailings.project_id and mailing_id = mailings.id and list <> 'array'
      ) as has_lines,
      exists (
        select from messages
        where messages.project_id = mailings.project_id and mailing_id = mailings.id
          and messages.state in ('PENDING', 'IN_PROCESS')
      ) as is_open
    from mailings where id = ${id}`;
  if (!row || row.state === 'planned') return 'waiting';
  switch (row.stage) {
    case 'files':
      return row.has_lines ? 'reading' : 'fetching';
    case 'planning':
      return 'planning';
    case 'sending':
      return row.is_open ? 'sending' : 'completing';
    case 'stopping':
      return 'stopping';
    default:
      return 'ended';
  }
}
