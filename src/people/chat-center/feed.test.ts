import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createParser } from 'eventsource-parser';
import { manualClock } from '../../../test/clock.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { watchUnderWay } from '../../../test/under-way.ts';
import { newsAreSettled } from '../../../test/waiting.ts';
import { localWake, widgetContext } from '../../../test/widget-harness.ts';
import type { Member } from '../../access/auth/member.ts';
import { insertNote } from '../../messaging/chats/notes-store.ts';
import type { EventStream } from '../../platform/http/event-stream.ts';
import { uuidv7 } from '../../platform/id.ts';
import { type ChatFeed, startChatFeed } from './feed.ts';
import { cursorOf, findNews } from './feed-store.ts';

const { sql } = await testDatabase({ after });
const wake = localWake();
let contentsRead = 0;
/** The database, with a count of the contents that are read. */
const watchedSql = new Proxy(sql, {
  apply(target, self, parts) {
    if (String(parts[0].raw).includes('order by entries.id')) contentsRead += 1;
    return Reflect.apply(target, self, parts);
  },
});
/** The measurements of gaps. */
let measuring = watchUnderWay(watchedSql, /octet_length/);

let feed: ChatFeed;
let member: Member;
let chatId: string;
after(() => feed.stop());

beforeEach(async () => {
  feed?.stop();
  measuring = watchUnderWay(watchedSql, /octet_length/);
  feed = startChatFeed(widgetContext(measuring.sql, { clock: manualClock(noon), wake }).context);
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId, 'Widget');
  chatId = await seedChat(sql, projectId, { channelId, platform: 'Widget', external_id: 'user:ann' });
  member = {
    kind: 'person',
    projectId,
    applicationId: null,
    name: 'Olga',
    role: 'operator',
    userId: null,
    operatorId: uuidv7(noon),
    callerId: uuidv7(noon),
    profileId: null,
    cameBy: { frameId: uuidv7(noon) },
  };
  contentsRead = 0;
});

const write = async (...texts: string[]): Promise<void> => {
  for (const text of texts) {
    await insertNote(sql, {
      project_id: member.projectId,
      id: uuidv7(new Date()),
      chat_id: chatId,
      author_id: null,
      author_name: '',
      text,
      created_at: noon,
    });
  }
  wake.wake('live');
};

const texts = (many: number, letters: number): string[] =>
  Array.from({ length: many }, (_, index) => `${index} `.padEnd(letters, 'x'));

type Heard = { event?: string | undefined; id?: string | undefined; data: string };

/** A browser that reads at once, or only when the test says so. */
function browser(since: string | null, readsAtOnce = true) {
  const heard: Heard[] = [];
  const parser = createParser({ onEvent: (one) => heard.push(one) });
  let unread = 0;
  let drained = Promise.withResolvers<void>();
  let written = Promise.withResolvers<void>();
  const stream: EventStream = {
    write(text) {
      parser.feed(text);
      if (!readsAtOnce) unread += text.length;
      written.resolve();
    },
    isFull: () => unread > 0,
    drained: async () => {
      if (unread > 0) await drained.promise;
    },
    heartbeat: () => {},
    end: () => {},
  };
  const leave = feed.connect(member, since, stream);
  assert.ok(leave);
  return {
    heard,
    leave,
    unread: () => unread,
    read() {
      unread = 0;
      drained.resolve();
      drained = Promise.withResolvers();
    },
    /** Waits for an event. A browser that does not read at once reads all it gets meanwhile. */
    async until(fits: (one: Heard) => boolean): Promise<void> {
      while (!heard.some(fits)) {
        await written.promise;
        written = Promise.withResolvers();
        if (!readsAtOnce && !heard.some(fits)) this.read();
      }
    },
    cursor: () => heard.findLast(({ id }) => id)?.id ?? '',
    notes: () =>
      heard.filter(({ event }) => event === 'entry').map(({ data }) => JSON.parse(data).entry.note.text),
  };
}

const isReady = ({ event }: Heard): boolean => event === 'ready';
const isNote =
  (text: string) =>
  ({ event, data }: Heard) =>
    event === 'entry' && data.includes(`"${text}`);

/** The cursor of a browser that has seen everything so far. */
async function cursorNow(): Promise<string> {
  await write('before');
  await newsAreSettled(sql);
  return cursorOf((await findNews(sql, [])).snapshot);
}

test('a gap of more than a megabyte asks the page to reload, and none of its contents are read', async () => {
  const since = await cursorNow();
  await write(...texts(20, 60_000));
  const { until, heard, cursor } = browser(since);
  await until(isReady);
  assert.equal(heard[0]?.data, '{"resumed":false}');
  assert.notEqual(cursor(), since);
  assert.equal(contentsRead, 0);
});

test('a gap is sent in pieces as the browser reads, and one that is cut off continues after its last piece', async () => {
  const since = await cursorNow();
  const written = texts(12, 60_000);
  await write(...written);
  await newsAreSettled(sql);
  const first = browser(since, false);
  await first.until(isNote('0 '));
  await browser(since).until(isNote('11 '));
  assert.ok(first.unread() < 128 * 1024, `${first.unread()} characters are unread at once`);
  first.read();
  await first.until(isNote('4 '));
  first.leave();
  assert.ok(!first.notes().includes(written[11] ?? ''));

  const second = browser(first.cursor(), false);
  await second.until(isNote('11 '));
  assert.deepEqual([...new Set([...first.notes(), ...second.notes()])], written);
  assert.ok(!second.notes().includes(written[0] ?? ''), 'what was read is sent again');
});

test('a browser that does not read waits alone, and gets what it missed when it reads', async () => {
  const slow = browser(null, false);
  const fast = browser(null);
  await slow.until(isReady);
  await fast.until(isReady);
  slow.read();
  const written = texts(10, 60_000);
  await write(...written);
  await fast.until(isNote('9 '));
  assert.ok(slow.unread() < 128 * 1024, `${slow.unread()} characters are unread at once`);
  await slow.until(isNote('9 '));
  slow.read();
  await write('Later');
  await slow.until(isNote('Later'));
  assert.deepEqual([...new Set(slow.notes())], [...written, 'Later']);
});

test('the gaps of one project are read one at a time', async () => {
  const since = await cursorNow();
  await write(...texts(3, 100));
  const many = Array.from({ length: 10 }, () => browser(since));
  await Promise.all(many.map(({ until }) => until(isNote('2 '))));
  assert.equal(measuring.most(), 1);
});
