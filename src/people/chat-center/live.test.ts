import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { connectLive, type LiveChats } from '../../../test/live-chats.ts';
import { signIn } from '../../../test/person.ts';
import { newsAreSettled, twoSessions } from '../../../test/waiting.ts';
import { insertNote } from '../../messaging/chats/notes-store.ts';
import { findNews, forgetNews } from './feed-store.ts';

const database = await testDatabase({ after });
const patchbay = await startPatchbay({ after }, { database });
const { context, call, address } = patchbay;
const { sql } = context;
const { longSql } = database;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const olga = await signIn(context, { projectId, role: 'operator', name: 'Olga' });
const ivan = await signIn(context, { projectId, role: 'operator', name: 'Ivan' });
const { chat } = await partner.client('Ann');

const post = (path: string, body?: unknown, { headers } = olga) =>
  call('POST', `/chat-center/api/chats/${chat}/${path}`, { headers, ...(body !== undefined && { body }) });
const note = (text: string, { call: by } = patchbay) =>
  by('POST', `/chat-center/api/chats/${chat}/notes/`, {
    headers: olga.headers,
    body: { id: randomUUID(), text },
  });
const clientWrites = (text: string) =>
  call('POST', `/channels/${partner.channel.id}/messages/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: { chat: { external_id: 'Ann' }, message: { external_id: randomUUID(), type: 'text', text } },
  });

const newNote = (text: string) => ({
  project_id: projectId,
  id: context.newId(),
  chat_id: chat,
  author_id: null,
  author_name: '',
  text,
  created_at: context.clock.now(),
});

test("news of a chat arrive live: the client's messages, and the states of the answers", async (t) => {
  const live = await connectLive(t, address, ivan.headers);
  assert.deepEqual(await live.until('counts'), { mine: 0, mine_unread: 0, waiting: 1, unread: 1 });
  await clientWrites('Is anybody there?');
  const asked = await live.until('entry', ({ entry }) => entry.message?.text === 'Is anybody there?');
  assert.deepEqual([asked.chat, asked.entry.message?.direction], [chat, 'in']);
  assert.equal((await live.until('chat')).unread, 2);

  const id = randomUUID();
  await post('messages/', { id, type: 'text', text: 'Here I am' });
  const isAnswer = ({ entry }: { entry: { message: { echo_id: string | null } | null } }) =>
    entry.message?.echo_id === id;
  const sent = await live.until(
    'entry',
    (told) => isAnswer(told) && told.entry.message?.state?.code === 'SENT',
  );
  assert.equal(sent.entry.author?.name, 'Olga');
  const { session, unread } = await live.until('chat', (told) => told.last_message?.state === 'SENT');
  assert.deepEqual([session?.operator?.name, unread], ['Olga', 0]);
});

test("an operator's counts are updated live", async (t) => {
  const live = await connectLive(t, address, ivan.headers);
  assert.equal((await live.until('counts')).mine, 0);
  await post('pass/', { operator: ivan.operatorId });
  assert.equal((await live.until('counts')).mine, 1);
  await post('close/', {}, ivan);
  assert.equal((await live.until('counts')).mine, 0);
});

test('colleagues see that an operator is typing, and the operator does not', async (t) => {
  const [own, other] = [
    await connectLive(t, address, olga.headers),
    await connectLive(t, address, ivan.headers),
  ];
  assert.equal((await post('typing/')).status, 204);
  const { author } = await other.until('typing', (told) => told.chat === chat);
  assert.equal(author.name, 'Olga');
  await note('After typing');
  await own.until('entry', ({ entry }) => entry.note?.text === 'After typing');
  assert.ok(!own.heard.some(({ event }) => event === 'typing'));
});

test('a reconnect continues after the last event, in another process too, and misses nothing', async (t) => {
  const elsewhere = await startPatchbay(t, { database, config: { roles: ['api'] } });
  await newsAreSettled(sql);
  const first = await connectLive(t, address, olga.headers);
  await note('Before the cut');
  await first.until('entry', ({ entry }) => entry.note?.text === 'Before the cut');
  await first.until('chat');
  first.cut();
  const missed = ['One', 'Two', 'Three'];
  for (const text of missed) await note(text);

  const second = await connectLive(t, elsewhere.address, olga.headers, first.lastId());
  assert.deepEqual(second.heard[0]?.data, { resumed: true });
  // News from shortly before the disconnect may be sent again.
  for (const text of missed) await second.until('entry', ({ entry }) => entry.note?.text === text);
  await note('After the cut', elsewhere);
  await second.until('entry', ({ entry }) => entry.note?.text === 'After the cut');
});

test('a row that is committed late, behind the cursor, is sent', twoSessions, async (t) => {
  const live = await connectLive(t, address, olga.headers);
  let commit = (): void => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const late = newNote('Begun first');
  let begun = (): void => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const written = database.longSql.begin(async (transaction) => {
    await insertNote(transaction, late);
    begun();
    await held;
  });
  await isBegun;
  await note('Committed first');
  await live.until('entry', ({ entry }) => entry.note?.text === 'Committed first');
  commit();
  await written;
  context.wake.wake('live');
  await live.until('entry', ({ entry }) => entry.note?.text === 'Begun first');
});

test('after a longer absence than the stored news the page is asked to reload', async (t) => {
  const first = await connectLive(t, address, olga.headers);
  await note('Long ago');
  await first.until('chat', () => first.lastId() !== '');
  first.cut();
  await sql`update chat_news set written_at = now() - interval '4 hours'`;
  await forgetNews(sql);
  const second = await connectLive(t, address, olga.headers, first.lastId());
  assert.deepEqual(second.heard[0]?.data, { resumed: false });
  const fromNowhere = await connectLive(t, address, olga.headers, '18446744073709551615');
  assert.deepEqual(fromNowhere.heard[0]?.data, { resumed: false });
  const beyond = await connectLive(t, address, olga.headers, '99999999999999999999');
  assert.deepEqual(beyond.heard[0]?.data, { resumed: false });
});

test('of the many news after a long absence as few are read as tell that a reload is faster', async () => {
  const [{ since }] = await sql<[{ since: string }]>`select pg_current_snapshot()::text as since`;
  await longSql`insert into chat_news (project_id, chat_id) select ${projectId}, ${chat} from generate_series(1, 2000)`;
  const watch = [{ project_id: projectId, since }];
  assert.equal((await findNews(sql, watch, 501)).news.length, 501);
  assert.ok((await findNews(sql, watch)).news.length >= 2000);
});

test('a rename is sent once, at the latest twenty chats of the client, however many they have', async (t) => {
  const zoe = await partner.client('Zoe');
  const chats = Array.from({ length: 30 }, () => context.newId());
  await longSql`
    insert into chats (project_id, id, profile_id, channel_id, platform, external_id, created_at, last_active_at)
    select project_id, given.id, profile_id, channel_id, platform, 'zoe ' || place, created_at,
      last_active_at + place * interval '1 second'
    from chats, unnest(${chats}::uuid[]) with ordinality as given (id, place) where chats.id = ${zoe.chat}`;
  const live = await connectLive(t, address, olga.headers);
  const count = async () => Number((await sql`select count(*) as rows from chat_news`)[0]?.rows);
  const before = await count();
  const path = `/chat-center/api/chats/${zoe.chat}/profile/`;
  assert.equal((await call('PUT', path, { headers: olga.headers, body: { name: 'Zoe B.' } })).status, 200);
  assert.equal((await count()) - before, 1);
  await note('After the rename');
  await live.until('entry', ({ entry }) => entry.note?.text === 'After the rename');
  const told = live.heard.flatMap(({ event, data }) =>
    event === 'chat' && data.profile.name === 'Zoe B.' ? [data.uuid] : [],
  );
  assert.deepEqual(told.toSorted(), chats.slice(10).toSorted());
});

/** How many events ask the page to reload. The first event of a connection is not one of them. */
const reloads = ({ heard }: LiveChats) => heard.slice(1).filter(({ event }) => event === 'ready').length;
const manyNews = (count: number) =>
  longSql`insert into chat_news (project_id, chat_id) select ${projectId}, ${chat} from generate_series(1, ${count}::integer)`;

test('of many news of a project a look reads few, and its pages reload once', async (t) => {
  const live = await connectLive(t, address, olga.headers);
  await manyNews(3_000);
  context.wake.wake('live');
  await live.until('ready', ({ resumed }) => !resumed);
  await note('After many');
  await live.until('entry', ({ entry }) => entry.note?.text === 'After many');
  assert.equal(reloads(live), 1);
  assert.ok(live.heard.filter(({ event }) => event === 'chat').length < 10);
});

test(
  'while a transaction lasts, many news reload pages once, and each later one is sent once',
  twoSessions,
  async (t) => {
    const live = await connectLive(t, address, olga.headers);
    await longSql.begin(async (transaction) => {
      await transaction`select pg_current_xact_id()`;
      await manyNews(3_000);
      context.wake.wake('live');
      await live.until('ready', ({ resumed }) => !resumed);
      for (const text of ['First', 'Second', 'Third']) {
        await note(text);
        await live.until('entry', ({ entry }) => entry.note?.text === text);
      }
      assert.equal(reloads(live), 1);
    });
    await note('Afterwards');
    await live.until('entry', ({ entry }) => entry.note?.text === 'Afterwards');
    const notes = live.heard.flatMap(({ event, data }) =>
      event === 'entry' ? (data.entry.note?.text ?? []) : [],
    );
    assert.deepEqual(notes, ['First', 'Second', 'Third', 'Afterwards']);
  },
);

test('a look reads no news from before its cursor', async () => {
  await longSql`insert into chat_news (project_id, chat_id) select ${projectId}, ${chat} from generate_series(1, 5000)`;
  await longSql`analyze chat_news`;
  const [{ since }] = await sql<[{ since: string }]>`select pg_current_snapshot()::text as since`;
  const read = await database.sql.begin(async (transaction) => {
    const readSoFar = async () => {
      const [row] = await transaction<[{ read: number }]>`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'chat_news'`;
      return row.read;
    };
    const before = await readSoFar();
    await findNews(transaction, [{ project_id: projectId, since }], 1_000);
    return (await readSoFar()) - before;
  });
  assert.equal(read, 0);
});

test('when a promoted standby lacks news that were sent, pages are asked to reload', async (t) => {
  let isBehind = false;
  const sql = new Proxy(database.sql, {
    apply(target, self, [given, ...values]) {
      const behind = (text: string) => text.replace('pg_current_snapshot()', "'3:3:'::pg_snapshot");
      const strings = isBehind && Array.isArray(given) ? given.map(behind) : given;
      return Reflect.apply(target, self, [strings, ...values]);
    },
  });
  const elsewhere = await startPatchbay(t, { database: { ...database, sql }, config: { roles: ['api'] } });
  const live = await connectLive(t, elsewhere.address, olga.headers);
  await note('Before the promotion', elsewhere);
  await live.until('chat', () => live.lastId() !== '');
  isBehind = true;
  await note('Behind the sent cursor');
  await assert.rejects(
    live.until('counts', () => false),
    /ended/,
  );
});

test('another project gets none of the news, and a member who has left the project is not admitted', async (t) => {
  const stranger = await createPartner(t, patchbay);
  const eve = await signIn(context, { projectId: stranger.projectId, role: 'operator', name: 'Eve' });
  const live = await connectLive(t, address, eve.headers);
  await note('Between us');
  await stranger.client('Zoe');
  const told = await live.until('entry');
  assert.equal(told.entry.message?.text, 'Hi');
  assert.ok(live.heard.every(({ data }) => !JSON.stringify(data).includes('Between us')));
  const foreign = { ...eve.headers, 'patchbay-project': projectId };
  await assert.rejects(connectLive(t, address, foreign), /403/);
});

test('a member who has left the project, or has signed out, hears no more of it', async (t) => {
  const stays = await connectLive(t, address, ivan.headers);
  for (const leave of [
    ({ operatorId }: { operatorId: string }) => sql`delete from operators where id = ${operatorId}`,
    ({ operatorId }: { operatorId: string }) => sql`
      delete from person_sessions where user_id = (select user_id from operators where id = ${operatorId})`,
  ]) {
    const mila = await signIn(context, { projectId, role: 'operator', name: 'Mila' });
    const live = await connectLive(t, address, mila.headers);
    await leave(mila);
    await clientWrites('Not for Mila');
    await stays.until('entry', ({ entry }) => entry.message?.text === 'Not for Mila');
    await assert.rejects(
      live.until('entry', ({ entry }) => entry.message?.text === 'Not for Mila'),
      /ended/,
    );
  }
});

test('an operator may have twenty connections', async (t) => {
  const mila = await signIn(context, { projectId, role: 'operator', name: 'Mila' });
  await Promise.all(Array.from({ length: 20 }, () => connectLive(t, address, mila.headers)));
  await assert.rejects(connectLive(t, address, mila.headers), /429/);
});
