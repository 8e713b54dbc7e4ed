import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../../test/database.ts';
import { poolerBefore } from '../../../test/stand-ins/pooler.ts';
import { createWake, type Wake } from './wake.ts';

const database = await testDatabase({ after });
const onServer = { skip: database.kind === 'embedded' };
const log = pino({ level: 'silent' });

async function wakes(t: TestContext): Promise<Wake> {
  const wake = await createWake(database, log);
  t.after(() => wake.close());
  return wake;
}

/** Counts a topic's wake-ups. `next` waits for one more. */
function listener(wake: Wake, topic: string) {
  let count = 0;
  let arrived = Promise.withResolvers<void>();
  wake.subscribe(topic, () => {
    count += 1;
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  return { count: () => count, next: () => arrived.promise };
}

test('this process is woken at once, by its topics only, until it unsubscribes', async (t) => {
  const wake = await wakes(t);
  let woken = 0;
  const unsubscribe = wake.subscribe('sending', () => {
    woken += 1;
  });
  wake.wake('sending');
  wake.wake('webhooks');
  assert.equal(woken, 1);
  unsubscribe();
  wake.wake('sending');
  assert.equal(woken, 1);
});

test(
  'another process is woken a few times for many wake-ups, and the calling one once per call',
  onServer,
  async (t) => {
    const [here, there] = [await wakes(t), await wakes(t)];
    const [mine, theirs] = [listener(here, 'sending'), listener(there, 'sending')];
    for (let n = 0; n < 100; n += 1) here.wake('sending');
    await theirs.next();
    // A later wake-up on the same channel proves that no earlier echo is still on its way.
    const last = listener(here, 'last').next();
    there.wake('last');
    await last;
    assert.equal(mine.count(), 100);
    assert.ok(theirs.count() <= 2, `${theirs.count()} wake-ups`);
  },
);

test(
  'a lost connection wakes every process, because notifications may be missing, and listening continues',
  onServer,
  async (t) => {
    const [here, there] = [await wakes(t), await wakes(t)];
    const theirs = listener(there, 'sending');
    const again = theirs.next();
    await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`;
    await again;
    const woken = theirs.next();
    here.wake('sending');
    await woken;
  },
);

test('a text reaches every process once, as it is, and only those who hear its topic', async (t) => {
  const processes = database.kind === 'embedded' ? [await wakes(t)] : [await wakes(t), await wakes(t)];
  const heard = processes.map((wake) => {
    const texts: string[] = [];
    const all = Promise.withResolvers<void>();
    wake.hear('typing', (text) => {
      texts.push(text);
      // They need not arrive in order.
      if (texts.length === 3) all.resolve();
    });
    wake.hear('other', () => texts.push('of another topic'));
    wake.subscribe('typing', () => texts.push('a wake-up'));
    return { texts, all };
  });
  const [here = assert.fail()] = processes;
  const text = JSON.stringify({ name: 'Olga  “Ö” \\n', empty: '' });
  here.tell('typing', text);
  here.tell('typing', text);
  here.tell('typing', 'another');
  await Promise.all(heard.map(({ all }) => all.promise));
  for (const { texts } of heard) assert.deepEqual(texts.sort(), ['another', text, text].sort());
});

test('a text that cannot be read does not end the process that hears it', onServer, async (t) => {
  const [here, there] = [await wakes(t), await wakes(t)];
  there.hear('typing', (text) => JSON.parse(text));
  const read = Promise.withResolvers<void>();
  there.hear('later', () => read.resolve());
  here.tell('typing', 'of another version');
  here.tell('later', 'x');
  await read.promise;
});

test('a wake-up that cannot reach other processes does not fail', onServer, async () => {
  const gone = await testDatabase({ after: (cleanUp) => after(cleanUp) });
  const wake = await createWake(gone, log);
  await gone.sql.end();
  wake.wake('sending');
  await wake.close();
});

test('a process whose address leads to a pooler cannot listen, and polls instead', onServer, async (t) => {
  const listenAddress = await poolerBefore({ after: (cleanUp) => t.after(cleanUp) }, database.address);
  const wake = await createWake({ ...database, listenAddress }, log);
  t.after(() => wake.close());
  const woken = listener(wake, 'sending');
  await woken.next();
  await woken.next();
});
