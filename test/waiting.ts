import type { Sql } from '../src/platform/database/database.ts';
import type { Wake } from '../src/platform/database/wake.ts';
import { testDatabaseKind } from './database.ts';

const onServerOnly = (reason: string) => ({ skip: testDatabaseKind === 'embedded' && reason });

/** Options for a test in which one session waits for another. */
export const twoSessions = onServerOnly('the embedded database has one session');
/** The same for a test in which several processes share the database. */
export const twoProcesses = onServerOnly('one process has the embedded database');
/** The same for a test whose database goes away. */
export const serverToLose = onServerOnly('the embedded database has no server to lose');

/** Whether so many statements in this database wait for locks. */
export async function isSomebodyWaiting(sql: Sql, statements = 1): Promise<boolean> {
  // Within a transaction, PostgreSQL would show the activity of its first look again and again.
  await sql`select pg_stat_clear_snapshot()`;
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length >= statements;
}

/** Resolves when so many statements wait for locks. */
export async function somebodyWaits(sql: Sql, statements = 1): Promise<void> {
  while (!(await isSomebodyWaiting(sql, statements)));
}

/**
 * Resolves when each later cursor of the live feed is after the news that are stored now. A transaction that began
 * earlier prevents that while it lasts, also one of another test's database.
 */
export async function newsAreSettled(sql: Sql): Promise<void> {
  const [{ next }] = await sql<
    [{ next: string }]
  >`select pg_snapshot_xmax(pg_current_snapshot())::text as next`;
  const isOver = async () => {
    const [row] = await sql<[{ is_over: boolean }]>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 as is_over`;
    return row.is_over;
  };
  while (!(await isOver()));
}

/** Whether the work wakes the topic. */
export async function wakes(
  wake: Pick<Wake, 'subscribe'>,
  topic: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  let heard = false;
  const end = wake.subscribe(topic, () => {
    heard = true;
  });
  await work();
  end();
  return heard;
}
