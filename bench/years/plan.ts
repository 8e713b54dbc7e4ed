import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/platform/database/database.ts';
import type { Program } from '../processes.ts';
import type { Scene } from '../scene.ts';

type Stage = { stage: string | null; state: string; state_detail: string; planned: number };

/** A mailing to all clients, until its last message waits. Returns how many do. */
export async function planTo(sql: Sql, { url }: Program, scene: Scene): Promise<number> {
  const response = await fetch(`${url}/api/partners/mailings/`, {
    method: 'POST',
    headers: { ...scene.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'All', text: 'Hello', filter_chats: { all: [] } }),
  });
  const { uuid }: { uuid: string } = JSON.parse(await response.text());
  for (;;) {
    const [row] = await sql<Stage[]>`
      select stage, state, state_detail, (
        select coalesce(sum(planned), 0)::int from mailing_counts where mailing_id = mailings.id
      ) as planned from mailings where id = ${uuid}`;
    if (row?.stage === 'sending') return row.planned;
    if (row?.state === 'error') throw new Error(`the mailing ended: ${row.state_detail}`);
    await pause(100);
  }
}
