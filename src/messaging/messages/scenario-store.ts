import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import type { MessageKey } from './message-key.ts';

/** Whether a run ends with its message: it was cancelled, or a mailing's message did not reach the client. */
export const endsRun = (sql: Sql, message: Fragment) => sql`(
  ${message}.state = 'CANCELLED' or ${message}.source = 'mailing' and ${message}.state in ('UNDELIVERED', 'ERROR')
)`;

export type Locked = { state: string; ends_run: boolean };

/**
 * Locks the messages that runs continue from, and returns their states. Nothing cancels or records them until the
 * commit. Those that wait for the one before come last: its result locks them last, too.
 */
export async function lockMessages(sql: Sql, keys: readonly MessageKey[]): Promise<Map<string, Locked>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<({ id: string } & Locked)[]>`
    select messages.id, messages.state, ${endsRun(sql, sql`messages`)} as ends_run
    from ${fewRows(sql, keys, 'named', sql`project_id uuid, id uuid`)}
    join messages on messages.project_id = named.project_id and messages.id = named.id
    order by messages.source = 'scenario' and messages.channel_id is null, messages.id for update of messages`;
  return new Map(rows.map(({ id, ...locked }) => [id, locked]));
}

export type Rendered = { type: string; [field: string]: JSONValue | undefined };
export type Fill = MessageKey & {
  channel_id: string;
  rendered: Rendered;
  promocodes: { [group: string]: string } | null;
};

const fillColumns = (sql: Sql) => sql`
  project_id uuid, id uuid, channel_id uuid, rendered jsonb, promocodes jsonb`;

/** Turns the message that started a run into the run's first message, due now. */
export async function fillStarts(sql: Sql, fills: readonly Fill[], now: Date): Promise<void> {
  if (fills.length === 0) return;
  await sql`
    update messages set rendered = fill.rendered, channel_id = fill.channel_id, due_at = ${now},
      content = content || jsonb_strip_nulls(jsonb_build_object('promocodes', fill.promocodes))
    from ${fewRows(sql, fills, 'fill', fillColumns(sql))}
    where messages.project_id = fill.project_id and messages.id = fill.id`;
}

/** Sets which message is sent after which. */
export async function linkMessages(
  sql: Sql,
  links: readonly (MessageKey & { next_id: string })[],
): Promise<void> {
  if (links.length === 0) return;
  await sql`
    update messages set next_id = link.next_id
    from ${fewRows(sql, links, 'link', sql`project_id uuid, id uuid, next_id uuid`)}
    where messages.project_id = link.project_id and messages.id = link.id`;
}
