import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { manualClock } from '../../../test/clock.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { localWake, widgetContext } from '../../../test/widget-harness.ts';
import type { Pool } from '../../platform/database/database.ts';
import { uuidv7 } from '../../platform/id.ts';
import { type LiveFeed, startLiveFeed } from './feed.ts';
import type { ChatAddress, MessageRow } from './store.ts';
import { announceTyping } from './typing.ts';

const { sql } = await testDatabase({ after });

const clock = manualClock(noon);
const wake = localWake();
let statements = 0;
/** The number of connections that each look asked for. */
let asked: number[] = [];
let chat: ChatAddress;
let chatId: string;

/** The database, with a count of its queries. */
const countedSql = new Proxy(sql, {
  apply(target, self, parts) {
    if (String(parts[0].raw?.[0]).trimStart().startsWith('select watched')) statements += 1;
    return Reflect.apply(target, self, parts);
  },
  get(target, key) {
    if (key !== 'json') return Reflect.get(target, key);
    return (watches: object[]) => {
      asked.push(watches.length);
      return target.json(JSON.parse(JSON.stringify(watches)));
    };
  },
});

function startFeed(pool: Pool = sql): LiveFeed {
  const feed = startLiveFeed(widgetContext(pool, { clock, wake }).context);
  feeds.push(feed);
  return feed;
}

const feeds: LiveFeed[] = [];
after(async () => {
  for (const feed of feeds) feed.stop();
});

beforeEach(async () => {
  for (const feed of feeds.splice(0)) feed.stop();
  clock.advance(3_600_000);
  statements = 0;
  asked = [];
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId, 'Widget');
  chatId = await seedChat(sql, projectId, { channelId, platform: 'Widget', external_id: 'user:ann' });
  chat = { projectId, channelId, address: 'user:ann' };
});

type Writing = { text: string; state?: string; madeAt?: Date; sentAt?: Date | null };

async function write({
  text,
  state = 'SENT',
  madeAt = clock.now(),
  sentAt = madeAt,
}: Writing): Promise<string> {
  const id = uuidv7(madeAt);
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state,
      sent_at)
    values (${chat.projectId}, ${id}, ${chatId}, ${chat.channelId}, 'out', 'push', 'TEXT', ${sql.json({ text })}, ${madeAt},
      ${state}, ${state === 'SENT' ? sentAt : null})`;
  return id;
}

async function moveTo(id: string, ...states: string[]): Promise<void> {
  for (const state of states) {
    await sql`
      update messages set state = ${state}, sent_at = case when ${state} = 'SENT' then ${clock.now()}::timestamptz else sent_at end
      where id = ${id}`;
  }
}

const attentive = { isFull: () => false, drained: async () => {} };

/** A connected browser. `heard` waits until it has received something. */
function listen(feed: LiveFeed, since = clock.now(), at = chat, reader = attentive) {
  const texts: string[] = [];
  const events: string[] = [];
  let tellMe = () => {};
  const disconnect = feed.connect(at, since, {
    news: ({ content }: MessageRow) => {
      texts.push(content.text ?? '');
      tellMe();
    },
    ...reader,
    heartbeat: () => events.push('heartbeat'),
    isWelcome: () => true,
    typing: (author: string) => events.push(`${author} is typing`),
    end: () => events.push('end'),
  });
  assert.ok(disconnect);
  return {
    texts,
    events,
    disconnect,
    heard: async (count: number) => {
      while (texts.length < count) await new Promise<void>((resolve) => (tellMe = resolve));
      return [...texts];
    },
  };
}

/** A browser that has received the message written last has received everything before it. */
async function everythingHeard({ heard, texts }: ReturnType<typeof listen>): Promise<string[]> {
  const end = `end ${clock.now().getTime()} ${texts.length}`;
  await write({ text: end });
  wake.wake('live');
  while (!texts.includes(end)) await heard(texts.length + 1);
  return texts.filter((text) => !text.startsWith('end '));
}

test('a connected browser gets a sent message at once', async () => {
  const browser = listen(startFeed());
  await write({ text: 'hello' });
  wake.wake('live');
  assert.deepEqual(await browser.heard(1), ['hello']);
});

test('a message is sent to a browser once, however often the feed is woken', async () => {
  const browser = listen(startFeed());
  await write({ text: 'hello' });
  for (let round = 0; round < 3; round += 1) {
    wake.wake('live');
    await browser.heard(1);
  }
  assert.deepEqual(await everythingHeard(browser), ['hello']);
});

test('a browser that asks for everything gets the latest hundred messages, and what comes later', async () => {
  for (let number = 0; number < 150; number += 1) await write({ text: `old ${number}` });
  const browser = listen(startFeed(), new Date(0));
  const heard = await everythingHeard(browser);
  assert.ok(heard.length <= 100, `${heard.length} messages`);
  assert.deepEqual(heard.slice(-2), ['old 148', 'old 149']);
  await write({ text: 'new' });
  assert.equal((await everythingHeard(browser)).at(-1), 'new');
});

test('a message that waited three days for its launch appears when it is sent', async () => {
  const early = await write({
    text: 'planned',
    state: 'PENDING',
    madeAt: new Date(clock.now().getTime() - 3 * 86_400_000),
  });
  const browser = listen(startFeed());
  assert.deepEqual(await everythingHeard(browser), []);
  clock.advance(3_600_000);
  assert.deepEqual(await everythingHeard(browser), []);
  await moveTo(early, 'IN_PROCESS', 'SENT');
  assert.deepEqual(await everythingHeard(browser), ['planned']);
});

test('a cancelled, refused or failed message never appears', async () => {
  const ids = await Promise.all(['a', 'b', 'c'].map((text) => write({ text, state: 'PENDING' })));
  const browser = listen(startFeed());
  assert.deepEqual(await everythingHeard(browser), []);
  await moveTo(String(ids[0]), 'CANCELLED');
  await moveTo(String(ids[1]), 'IN_PROCESS', 'UNDELIVERED');
  await moveTo(String(ids[2]), 'IN_PROCESS', 'ERROR');
  assert.deepEqual(await everythingHeard(browser), []);
});

test('a row that another machine commits seconds after its time and id is not missed', async () => {
  const browser = listen(startFeed());
  await write({ text: 'first' });
  wake.wake('live');
  await browser.heard(1);
  clock.advance(20_000);
  await write({ text: 'late', madeAt: new Date(clock.now().getTime() - 25_000) });
  assert.deepEqual(await everythingHeard(browser), ['first', 'late']);
});

test('a connection resumes after the last one, and misses nothing of the gap', async () => {
  const planned = await write({
    text: 'planned',
    state: 'PENDING',
    madeAt: new Date(clock.now().getTime() - 86_400_000),
  });
  await write({ text: 'long ago', madeAt: new Date(clock.now().getTime() - 60_000) });
  const since = clock.now();
  clock.advance(600_000);
  await write({ text: 'in the gap' });
  await moveTo(planned, 'IN_PROCESS', 'SENT');
  clock.advance(600_000);
  const browser = listen(startFeed(), since);
  assert.deepEqual((await everythingHeard(browser)).sort(), ['in the gap', 'planned']);
});

test('a browser without a chat gets its news from the first message on', async () => {
  const stranger = { ...chat, address: 'visitor:new' };
  const browser = listen(startFeed(), clock.now(), stranger);
  const profileChat = await seedChat(sql, chat.projectId, {
    channelId: chat.channelId,
    platform: 'Widget',
    external_id: stranger.address,
  });
  chatId = profileChat;
  await write({ text: 'welcome' });
  wake.wake('live');
  assert.deepEqual(await browser.heard(1), ['welcome']);
});

test("another chat's messages are never sent, on whatever channel the address is the same", async () => {
  const otherChannel = await seedChannel(sql, chat.projectId, 'Widget');
  const feed = startFeed();
  const [here, there, elsewhere] = [
    listen(feed),
    listen(feed, clock.now(), { ...chat, channelId: otherChannel }),
    listen(feed, clock.now(), { ...chat, address: 'user:bob' }),
  ];
  await write({ text: 'for Ann' });
  wake.wake('live');
  await here.heard(1);
  assert.deepEqual([there.texts, elsewhere.texts], [[], []]);
});

test('one statement serves all connected browsers', async () => {
  const feed = startFeed(countedSql);
  const browsers = Array.from({ length: 8 }, () => listen(feed));
  await write({ text: 'hello' });
  wake.wake('live');
  for (const browser of browsers) assert.deepEqual(await browser.heard(1), ['hello']);
  assert.ok(statements <= 2, `${statements} statements`);
});

test('a new connection is looked at alone: thousands that connect at once do not look for each other', async () => {
  await write({ text: 'old' });
  const feed = startFeed(countedSql);
  const first = listen(feed, new Date(0));
  await first.heard(1);
  asked = [];
  const second = listen(feed, new Date(0));
  await second.heard(1);
  assert.equal(asked[0], 1);
  asked = [];
  wake.wake('live');
  while (asked.length === 0) await nextTurn();
  assert.equal(asked[0], 2);
});

test('the feed makes no queries without connections', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const feed = startFeed(countedSql);
  const pass = (): void => {
    wake.wake('live');
    t.mock.timers.tick(60_000);
  };
  pass();
  assert.equal(statements, 0);
  const { disconnect } = listen(feed);
  disconnect();
  pass();
  assert.equal(statements, 0);
});

test('a message that is written during a look is sent too', async () => {
  let isFirst = true;
  const slow = new Proxy(sql, {
    apply(target, self, parts) {
      const answer = Reflect.apply(target, self, parts);
      if (!isFirst || !String(parts[0].raw?.[0]).includes('select watched')) return answer;
      isFirst = false;
      return answer.then(async (rows: unknown) => {
        await write({ text: 'meanwhile' });
        wake.wake('live');
        return rows;
      });
    },
  });
  const browser = listen(startFeed(slow));
  assert.deepEqual(await browser.heard(1), ['meanwhile']);
});

test('only the client of a chat sees that an operator is typing to them', async () => {
  const feed = startFeed();
  const [ann, bob] = [listen(feed), listen(feed, clock.now(), { ...chat, address: 'user:bob' })];
  const typing = { project: chat.projectId, profile: '', author: { uuid: '', name: 'Olga' } };
  announceTyping(wake, { ...typing, chat: chat.channelId });
  announceTyping(wake, { ...typing, chat: chatId });
  while (ann.events.length === 0) await sql`select`;
  assert.deepEqual([ann.events, bob.events], [['Olga is typing'], []]);
});

test('a chat has at most ten connections', async () => {
  const feed = startFeed();
  const browsers = Array.from({ length: 10 }, () => listen(feed));
  const listener = {
    ...attentive,
    news: () => {},
    heartbeat: () => {},
    typing: () => {},
    end: () => {},
    isWelcome: () => true,
  };
  assert.equal(feed.connect(chat, clock.now(), listener), null);
  assert.ok(feed.connect({ ...chat, address: 'user:bob' }, clock.now(), listener));
  assert.ok(feed.connect({ ...chat, channelId: chat.projectId }, clock.now(), listener));
  browsers[0]?.disconnect();
  assert.ok(feed.connect(chat, clock.now(), listener));
});

test('a lost wake-up costs five seconds, not a message; and there is a heartbeat every twenty', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const browser = listen(startFeed());
  await write({ text: 'unannounced' });
  t.mock.timers.tick(5_000);
  assert.deepEqual(await browser.heard(1), ['unannounced']);
  assert.deepEqual(browser.events, []);
  t.mock.timers.tick(15_000);
  assert.deepEqual(browser.events, ['heartbeat']);
});

test('a short outage of the database loses nothing', async () => {
  let isAway = true;
  const shaky = new Proxy(sql, {
    apply(target, self, parts) {
      if (!isAway || !String(parts[0].raw?.[0]).includes('select watched'))
        return Reflect.apply(target, self, parts);
      isAway = false;
      return Promise.reject(new Error('the database is away'));
    },
  });
  await write({ text: 'hello' });
  const browser = listen(startFeed(shaky));
  while (isAway) await nextTurn();
  wake.wake('live');
  assert.deepEqual(await browser.heard(1), ['hello']);
});

test('a chat whose look fails is looked at apart, and no other chat waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let watched = '';
  let failures = 0;
  const failing = new Proxy(sql, {
    apply(target, self, parts) {
      const isLook = String(parts[0].raw?.[0]).trimStart().startsWith('select watched');
      if (!isLook || !watched.includes('user:heavy')) return Reflect.apply(target, self, parts);
      failures += 1;
      return Promise.reject(new Error('this took too long'));
    },
    get(target, key) {
      if (key !== 'json') return Reflect.get(target, key);
      return (value: object[]) => {
        watched = JSON.stringify(value);
        return target.json(JSON.parse(watched));
      };
    },
  });
  const feed = startFeed(failing);
  listen(feed, clock.now(), { ...chat, address: 'user:heavy' });
  const browsers = [listen(feed), listen(feed)];
  for (const count of [1, 2, 3]) {
    await write({ text: 'hello' });
    wake.wake('live');
    for (const browser of browsers) await browser.heard(count);
  }
  // The shared look, and its own.
  assert.equal(failures, 2);
});

test('a chat whose look failed gets its news in the next round', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let failures = 0;
  const shaky = new Proxy(sql, {
    apply(target, self, parts) {
      const isLook = String(parts[0].raw?.[0]).trimStart().startsWith('select watched');
      if (!isLook || failures === 2) return Reflect.apply(target, self, parts);
      failures += 1;
      return Promise.reject(new Error('this took too long'));
    },
  });
  const browser = listen(startFeed(shaky));
  await write({ text: 'hello' });
  while (failures < 2) await nextTurn();
  await sql`select`;
  assert.deepEqual(browser.texts, []);
  t.mock.timers.tick(5_000);
  assert.deepEqual(await browser.heard(1), ['hello']);
});

test('a slow browser gets what it missed as it reads, and delays no other one', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  for (const text of ['one', 'two', 'three']) await write({ text });
  const feed = startFeed();
  const reading = Promise.withResolvers<void>();
  let isReading = false;
  let waits = 0;
  const slow = listen(feed, clock.now(), chat, {
    isFull: () => slow.texts.length > 0 && !isReading,
    drained: () => {
      waits += 1;
      return reading.promise;
    },
  });
  assert.deepEqual(await slow.heard(1), ['one']);
  const other = listen(feed);
  assert.deepEqual(await other.heard(3), ['one', 'two', 'three']);
  await write({ text: 'four' });
  wake.wake('live');
  await other.heard(4);
  assert.deepEqual([slow.texts, waits], [['one'], 1]);
  isReading = true;
  reading.resolve();
  assert.deepEqual(await slow.heard(4), ['one', 'two', 'three', 'four']);
});

test('the contents of few messages are read at a time, however many are missed', async () => {
  const read: number[] = [];
  const measured = new Proxy(sql, {
    apply(target, self, parts) {
      const answer = Reflect.apply(target, self, parts);
      if (!String(parts[0].raw?.join()).includes('few.project_id')) return answer;
      return answer.then((rows: unknown[]) => {
        read.push(rows.length);
        return rows;
      });
    },
  });
  const missed = Array.from({ length: 15 }, (_, number) => `missed ${number}`);
  const chats: ChatAddress[] = [];
  for (const address of ['user:1', 'user:2', 'user:3', 'user:4']) {
    chatId = await seedChat(sql, chat.projectId, { channelId: chat.channelId, external_id: address });
    for (const text of missed) await write({ text });
    chats.push({ ...chat, address });
  }
  const feed = startFeed(measured);
  const browsers = chats.map((each) => listen(feed, clock.now(), each));
  for (const browser of browsers) assert.deepEqual(await browser.heard(15), missed);
  assert.ok(read.length > 0 && Math.max(...read) < 30, `${read}`);
});

test('the stop of the feed ends all connections', async () => {
  const feed = startFeed();
  const browser = listen(feed);
  feed.stop();
  assert.deepEqual(browser.events, ['end']);
});

test('thousands of waiting messages of one chat cost a look of all chats little', async () => {
  const heavy = chat;
  const large = { text: 'x'.repeat(4_096) };
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state)
    select ${chat.projectId}, id, ${chatId}, ${chat.channelId}, 'out', 'push', 'TEXT', ${sql.json(large)}, ${clock.now()}, 'PENDING'
    from unnest(${Array.from({ length: 3_000 }, () => uuidv7(clock.now()))}::uuid[]) as id`;
  chatId = await seedChat(sql, chat.projectId, { channelId: chat.channelId, external_id: 'user:bob' });
  chat = { ...chat, address: 'user:bob' };
  let most = 0;
  const measured = new Proxy(sql, {
    async apply(target, self, parts) {
      const rows = await Reflect.apply(target, self, parts);
      most = Math.max(most, JSON.stringify(rows).length);
      return rows;
    },
  });
  const whole = new Proxy(sql, {
    apply(target, self, parts) {
      const isLook = String(parts[0].raw?.[0]).trimStart().startsWith('select watched');
      return Reflect.apply(isLook ? measured : target, self, parts);
    },
  });
  const feed = startFeed(whole);
  for (let count = 0; count < 10; count += 1) listen(feed, clock.now(), heavy);
  assert.deepEqual(await everythingHeard(listen(feed)), []);
  assert.ok(most > 0 && most < 10_000, `${most} characters in an answer`);
});
