import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { startFileServer } from '../../../test/faults/file-server.ts';
import {
  claimOne,
  never,
  planAll,
  problemsOf,
  recipientsOf,
  seedMailing,
  sendSome,
  startScene,
  stateOf,
} from '../../../test/planning-scene.ts';
import { noon, seedChannel, seedChat, seedProfile, seedProject } from '../../../test/seed.ts';
import { takeStep } from './run.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

let answer: RequestListener;
const url = await startFileServer({ after }, (request, response) => answer(request, response));
const serve = (...lines: string[]) => {
  answer = (_request, response) => response.end(`${lines.join('\n')}\n`);
};

let project: string;
let channel: string;

beforeEach(async () => {
  project = await seedProject(sql);
  channel = await seedChannel(sql, project);
});

const number = '+15550001000';
const template = { content_type: 'TEMPLATE_WHATSAPP', phone_numbers_file: url } as const;

/** A client with one chat. */
async function addClient(seed: Parameters<typeof seedProfile>[2] = {}, inProject = project): Promise<string> {
  const profile = await seedProfile(sql, inProject, seed);
  const channelId = inProject === project ? channel : await seedChannel(sql, inProject);
  await seedChat(sql, inProject, { channelId, profileId: profile });
  return profile;
}

async function chatsOf(mailing: string): Promise<string[]> {
  const rows = await sql<
    { chat_id: string }[]
  >`select chat_id from messages where mailing_id = ${mailing} order by chat_id`;
  return rows.map(({ chat_id }) => chat_id);
}

/** Takes the next step with this many lines or profiles. */
async function stepWith(id: string, atOnce: number): Promise<void> {
  clock.advance(25_000);
  await sql`update mailings set progress = progress || ${sql.json({ at_once: atOnce })} where id = ${id}`;
  const held = await claimOne(context);
  assert.ok(held);
  await takeStep(context, held, never);
}

test('a number is matched on the project’s Whatsapp only, even if its text is an id elsewhere', async () => {
  const telegram = await seedChannel(sql, project, 'Telegram');
  await seedChat(sql, project, { channelId: telegram, platform: 'Telegram', external_id: number });
  const whatsapp = await seedChannel(sql, project, 'Whatsapp');
  const neighbour = await seedProject(sql);
  const foreign = await seedChannel(sql, neighbour, 'Whatsapp');
  await seedChat(sql, neighbour, { channelId: foreign, platform: 'Whatsapp', external_id: number });
  serve('phone', number);
  const id = await seedMailing(context, project, template);
  await planAll(context);
  const rows = await sql`
    select messages.project_id, chats.channel_id, chats.external_id from messages join chats on chats.id = chat_id
    where mailing_id = ${id}`;
  assert.deepEqual([...rows], [{ project_id: project, channel_id: whatsapp, external_id: number }]);
});

test('of two chats at one number the most recently active gets the message', async () => {
  const [first, second] = [
    await seedChannel(sql, project, 'Whatsapp'),
    await seedChannel(sql, project, 'Whatsapp'),
  ];
  const at = { platform: 'Whatsapp', external_id: number } as const;
  const later = new Date(noon.getTime() + 1_000);
  const old = await seedChat(sql, project, { channelId: first, ...at });
  const active = await seedChat(sql, project, { channelId: second, ...at, last_active_at: later });
  serve('phone', number);
  const id = await seedMailing(context, project, template);
  await planAll(context);
  assert.deepEqual(await chatsOf(id), [active]);

  // Its line names this chat, not the client's most recently active one.
  await sql`update chats set stopped_at = ${noon} where id = ${active}`;
  await sql`update chats set profile_id = (select profile_id from chats where id = ${active}) where id = ${old}`;
  const stopped = await seedMailing(context, project, template);
  await planAll(context);
  assert.deepEqual(await chatsOf(stopped), []);
});

test('a text for a list of numbers goes to Whatsapp only', async () => {
  const whatsapp = await seedChannel(sql, project, 'Whatsapp');
  const chat = await seedChat(sql, project, {
    channelId: whatsapp,
    platform: 'Whatsapp',
    external_id: number,
  });
  serve('phone', number);
  // Neither the array nor the filter beside it excludes anyone.
  const id = await seedMailing(context, project, {
    phone_numbers_file: url,
    field: 'UUID',
    array: [context.newId()],
    filter_chats: { any: [] },
  });
  await planAll(context);
  assert.deepEqual(await chatsOf(id), [chat]);
});

test('a person named in two chunks is one recipient, counted once for the platform', async () => {
  const ann = await addClient({ external_id: 'ann' });
  const bob = await addClient({ external_id: 'bob' });
  const array = ['ann', 'bob', 'ann', 'bob'];
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', array });
  await stepWith(id, 1);
  for (let line = 0; line < array.length; line += 1) await stepWith(id, 1);
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, id), [ann, bob].toSorted());
  const platforms = await sql`select platform, planned from mailing_platforms where mailing_id = ${id}`;
  assert.deepEqual([...platforms], [{ platform: 'API_Messenger', planned: 2 }]);
});

test('a person named in two chunks is no problem if they leave in between', async () => {
  const ann = await addClient({ external_id: 'ann' });
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', array: ['ann', 'ann'] });
  for (let step = 0; step < 9 && (await chatsOf(id)).length === 0; step += 1) await stepWith(id, 1);
  await sql`update chats set stopped_at = ${clock.now()} where profile_id = ${ann}`;
  await stepWith(id, 1);
  assert.deepEqual(await problemsOf(context, id), []);
  assert.equal((await stateOf(context, id)).progress.cursor, 2);
});

test('a list and a filter for everyone select clients of the project only', async () => {
  const neighbour = await seedProject(sql);
  const foreign = await addClient({ external_id: 'ann', phone_number: number }, neighbour);
  const [chat] = await sql<[{ id: string }]>`select id from chats where profile_id = ${foreign}`;
  for (const [field, identifier] of [
    ['UUID', foreign],
    ['EXTERNAL_ID', 'ann'],
    ['PHONE_NUMBER', number],
    ['CHAT_UUID', chat.id],
  ] as const) {
    const id = await seedMailing(context, project, { field, array: [identifier] });
    await planAll(context);
    assert.deepEqual(
      await problemsOf(context, id),
      [[1, identifier, 'Nobody is known by this.']],
      `by ${field}`,
    );
  }
  // Reading profiles of others too would take more steps.
  const ann = await addClient();
  const id = await seedMailing(context, project, { filter_chats: { all: [] } });
  await stepWith(id, 2);
  await stepWith(id, 1);
  assert.deepEqual(await recipientsOf(context, id), [ann]);
  assert.equal((await stateOf(context, id)).progress.cursor, ann);
});

test('a client must be in both the file and the array, each mailing’s own array', async () => {
  const [ann, bob, eve] = [
    await addClient({ external_id: 'ann' }),
    await addClient({ external_id: 'bob' }),
    await addClient({ external_id: 'eve' }),
  ];
  await seedMailing(context, project, { field: 'EXTERNAL_ID', array: ['bob'], dueAt: null });
  serve('external_id', 'ann', 'bob');
  const both = { field: 'EXTERNAL_ID', customer_filter_file: url, array: ['ann', 'eve'] } as const;
  for (let run = 1; run <= 2; run += 1) {
    const id = await seedMailing(context, project, { ...both, array: [...both.array] });
    await planAll(context);
    assert.deepEqual(await recipientsOf(context, id), [ann]);
    assert.deepEqual(await problemsOf(context, id), []);
  }
  assert.ok(bob && eve);
});

test('a file and an array of chats must both name a chat of the client', async () => {
  const clients = [await addClient(), await addClient()];
  const rows = await sql<{ id: string }[]>`
    select id from chats where profile_id = any (${clients}) order by profile_id`;
  const [first = '', second = ''] = rows.map(({ id }) => id);
  serve('chat_uuid', first, second);
  const id = await seedMailing(context, project, {
    field: 'CHAT_UUID',
    customer_filter_file: url,
    array: [second],
  });
  await planAll(context);
  assert.deepEqual(await chatsOf(id), [second]);
});

test('the lines of an array serve every run of a schedule, and are deleted when the mailing ends', async () => {
  const ann = await addClient({ external_id: 'ann' });
  const lines = async (id: string) =>
    (await sql`select from mailing_identifiers where mailing_id = ${id}`).length;
  const id = await seedMailing(context, project, {
    field: 'EXTERNAL_ID',
    array: ['ann', 'nobody'],
    regular_cron: '* * * * *',
  });
  for (const run of [1, 2]) {
    await planAll(context);
    await sendSome(context, id);
    clock.advance(1_000);
    await planAll(context);
    const { state, state_detail } = await stateOf(context, id);
    assert.deepEqual(
      [state, state_detail],
      [
        'planned',
        '1 of the audience reached nobody. The first is number 2, "nobody": Nobody is known by this.',
      ],
    );
    assert.equal((await recipientsOf(context, id, 'SENT')).length, run);
    clock.advance(60_000);
  }
  assert.equal((await recipientsOf(context, id, 'SENT'))[1], ann);
  assert.equal(await lines(id), 1);
  await sql`update mailings set state = 'stopped', stage = 'stopping', due_at = ${clock.now()} where id = ${id}`;
  await planAll(context);
  assert.equal(await lines(id), 0);
});

test('a second attempt at a file deletes the lines of the first, and not the array', async () => {
  const ann = await addClient({ external_id: 'ann' });
  serve('external_id', 'ann', '');
  const id = await seedMailing(context, project, {
    field: 'EXTERNAL_ID',
    customer_filter_file: url,
    array: ['ann'],
  });
  serve('external_id,name', 'ann,Ann', ',Bob');
  await stepWith(id, 20);
  await stepWith(id, 20);
  assert.equal((await stateOf(context, id)).progress.problems, 1);
  await sql`update mailings set stage = 'files' where id = ${id}`;
  clock.advance(25_000);
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, id), [ann]);
  assert.equal((await stateOf(context, id)).progress.problems, 1);
});

test('of more than a thousand problems of a file a thousand are listed', async () => {
  const ann = await addClient({ external_id: 'ann' });
  serve('external_id,name', ...Array.from({ length: 1_001 }, () => ',Nobody'), 'ann,Ann');
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, id), [ann]);
  assert.equal((await problemsOf(context, id)).length, 1_000);
  assert.equal((await stateOf(context, id)).progress.problems, 1_001);
});
