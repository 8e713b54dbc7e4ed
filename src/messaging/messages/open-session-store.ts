import type { Fragment, Sql } from '../../platform/database/database.ts';

/** An expression: whether an operator has the chat of a row with `project_id` and `chat_id`. */
export const hasOpenSession = (sql: Sql, rows: Fragment): Fragment => sql`exists (
  select from sessions
  where sessions.project_id = ${rows}.project_id and sessions.chat_id = ${rows}.chat_id and closed_at is null
)`;
