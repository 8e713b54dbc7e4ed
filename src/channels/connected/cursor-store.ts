import type { Sql } from '../../platform/database/database.ts';

export type Cursor = { project_id: string; channel_id: string; cursor: string | null };

type Hold = {
  holder: string;
  channels: readonly { project_id: string; channel_id: string }[];
  now: Date;
  until: Date;
};

/** Takes the channels without a holder, and keeps those of this holder. Returns both, with their cursors. */
export function holdCursors(sql: Sql, { holder, channels, now, until }: Hold): Promise<Cursor[]> {
  return sql<Cursor[]>`
    insert into channel_cursors as held (project_id, channel_id, holder, held_until)
    select project_id, channel_id, ${holder}, ${until}
    from jsonb_to_recordset(${sql.json(channels)}) as wanted (project_id uuid, channel_id uuid)
    order by channel_id
    on conflict (project_id, channel_id) do update set holder = excluded.holder, held_until = excluded.held_until
    where held.holder = excluded.holder or held.held_until <= ${now}
    returning held.project_id, held.channel_id, held.cursor`;
}

/** False when another holder has taken the channel meanwhile. That holder's cursor stays unchanged. */
export async function moveCursor(sql: Sql, holder: string, cursor: Cursor): Promise<boolean> {
  const count = await sql`
    update channel_cursors set cursor = ${cursor.cursor}
    where project_id = ${cursor.project_id} and channel_id = ${cursor.channel_id} and holder = ${holder}`.count();
  return count > 0;
}

/** Releases the channels, so that others can take them at once. */
export async function letGoOfCursors(sql: Sql, holder: string, now: Date): Promise<void> {
  await sql`update channel_cursors set held_until = ${now} where holder = ${holder}`;
}
