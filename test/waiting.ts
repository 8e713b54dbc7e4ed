import type { Sql } from '../src/storage/database.ts';
import type { Wake } from '../src/storage/wake.ts';
import { testDatabaseKind } from './database.ts';

/** For the options of a test in which one session waits for another. */
export const twoSessions = {
  skip: testDatabaseKind === 'embedded' && 'the embedded database has one session',
};

/** Resolves when a statement in this database waits for a lock. */
export async function somebodyWaits(sql: Sql): Promise<void> {
  const waiting = () => sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await waiting()).length === 0);
}

/** Whether the topic is woken while the work is done. */
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
