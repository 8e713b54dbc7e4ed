import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  claimOne,
  everybody,
  never,
  planAll,
  problemsOf,
  recipientsOf,
  retireMailings,
  seedClients,
  seedMailing,
  sendSome,
  startScene,
  stateOf,
  sumsOf,
} from '../../../test/planning-scene.ts';
import { seedChannel, seedChat, seedProfile } from '../../../test/seed.ts';
import { workOn } from './engine.ts';
import { takeStep } from './run.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

const shrinkChunks = (id: string) =>
  sql`update mailings set progress = progress || '{"at_once": 2}' where id = ${id}`;

test('a run makes one message for each recipient, and is completed when the last has ended', async () => {
  const { project, profiles, channel } = await seedClients(sql, 7);
  const id = await seedMailing(context, project, { filter_chats: everybody });
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, id), profiles);
  const [message] = await sql`select * from messages where mailing_id = ${id} limit 1`;
  assert.deepEqual(
    [
      message?.channel_id,
      message?.content_type,
      message?.content,
      message?.lane,
      message?.is_force,
      message?.mailing_run,
    ],
    [channel, 'TEXT', {}, 1, false, 1],
  );
  assert.equal((await stateOf(context, id)).stage, 'sending');
  assert.deepEqual(await sumsOf(context, id), [7, 0, 0, 0]);

  await sendSome(context, id, 6);
  clock.advance(1_000);
  await planAll(context);
  assert.equal((await stateOf(context, id)).state, 'in_process');

  await sendSome(context, id);
  clock.advance(1_000);
  await planAll(context);
  const { state, stage, due_at, progress } = await stateOf(context, id);
  assert.deepEqual([state, stage, due_at], ['completed', null, null]);
  assert.deepEqual([progress.prepared, progress.sent, progress.seconds_left], [7, 7, 0]);
  const platforms = await sql`select platform, planned from mailing_platforms where mailing_id = ${id}`;
  assert.deepEqual([...platforms], [{ platform: 'API_Messenger', planned: 7 }]);
});

test('each recipient gets exactly one message, whichever step a planner dies after', async () => {
  const { project, profiles } = await seedClients(sql, 9);
  for (let dies = 0; dies < 8; dies += 1) {
    const id = await seedMailing(context, project, { filter_chats: everybody });
    for (let step = 0; step <= dies; step += 1) {
      const held = await claimOne(context);
      assert.ok(held);
      // The planner takes one step more each time, and then disappears, except for a late step.
      const next = await takeStep(context, held, never);
      await shrinkChunks(id);
      clock.advance(25_000);
      const other = await claimOne(context);
      assert.ok(other);
      await takeStep(context, other, never);
      const before = await stateOf(context, id);
      assert.equal(await takeStep(context, next ?? held, never), undefined);
      assert.deepEqual(await stateOf(context, id), before);
      clock.advance(25_000);
    }
    await planAll(context);
    assert.deepEqual(await recipientsOf(context, id), profiles, `died at ${dies}`);
    assert.equal((await sumsOf(context, id))[0], 9);
    await retireMailings(context);
  }
});

test('two concurrent planners, with one lease or with two, plan as one would', async () => {
  const { project, profiles } = await seedClients(sql, 9);
  const id = await seedMailing(context, project, { filter_chats: everybody });
  const begun = await claimOne(context);
  assert.ok(begun);
  const held = await takeStep(context, begun, never);
  assert.ok(held);
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      let next: typeof held | undefined = { ...held, progress: { ...held.progress, at_once: 2 } };
      while (next) next = await takeStep(context, next, never);
    }),
  );
  clock.advance(25_000);
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, id), profiles);
  assert.deepEqual(await sumsOf(context, id), [9, 0, 0, 0]);
});

test('a list names clients in four ways; unknown, malformed or unreachable ones are listed with their line', async () => {
  const { project, profiles, chats } = await seedClients(sql, 4);
  const [, , , lastChat = ''] = chats;
  await sql`update chats set stopped_at = ${clock.now()} where id = ${lastChat}`;
  const reachable = profiles.slice(0, 3);
  const unknown = context.newId();
  const lists = {
    UUID: [...profiles, profiles[0] ?? '', unknown, 'x'],
    EXTERNAL_ID: ['c0', 'c1', 'c2', 'c3', 'c0', 'who', ''],
    PHONE_NUMBER: [
      '+15550001000',
      '+15550001001',
      '+15550001002',
      '+15550001003',
      '+15550001000',
      '+15550009999',
      'x',
    ],
    CHAT_UUID: [...chats, chats[0] ?? '', unknown, 'x'],
  } as const;
  for (const field of ['UUID', 'EXTERNAL_ID', 'PHONE_NUMBER', 'CHAT_UUID'] as const) {
    const id = await seedMailing(context, project, { field, array: [...lists[field]] });
    const begun = await claimOne(context);
    assert.ok(begun && (await takeStep(context, begun, never)));
    await shrinkChunks(id);
    clock.advance(25_000);
    await planAll(context);
    assert.deepEqual(await recipientsOf(context, id), reachable, field);
    assert.deepEqual(
      (await problemsOf(context, id)).map(([line, , reason]) => [line, reason]),
      [
        [
          4,
          field === 'CHAT_UUID'
            ? 'This chat cannot be written to.'
            : 'No chat of this client can be written to.',
        ],
        [6, 'Nobody is known by this.'],
        [7, 'Nobody is known by this.'],
      ],
      field,
    );
    assert.equal((await stateOf(context, id)).progress.problems, 3);
  }
});

test('of several audiences all must match, for one and the same chat', async () => {
  const { project, profiles, chats, channel } = await seedClients(sql, 4);
  const [first = '', second = '', third = ''] = profiles;
  await sql`update chats set name = 'vip' where id in (${chats[0] ?? ''}, ${chats[1] ?? ''})`;
  const vip = { all: [{ type: 'attribute', name: 'vip' }] };
  const inBoth = await seedMailing(context, project, {
    filter_chats: vip,
    field: 'UUID',
    array: [second, third],
  });
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, inBoth), [second]);
  assert.deepEqual(await problemsOf(context, inBoth), []);

  // The filter does not match the chat that is active now, so it chooses the older one.
  const later = new Date(clock.now().getTime() + 1_000);
  await seedChat(sql, project, { channelId: channel, profileId: first, last_active_at: later });
  const filtered = await seedMailing(context, project, { filter_chats: vip });
  const unfiltered = await seedMailing(context, project, { filter_chats: everybody });
  await planAll(context);
  const chatIn = async (id: string) =>
    (await sql`select chat_id from messages where mailing_id = ${id} order by chat_id`).map(
      ({ chat_id }) => chat_id,
    );
  assert.deepEqual(await chatIn(filtered), chats.slice(0, 2).toSorted());
  assert.ok(!(await chatIn(unfiltered)).includes(chats[0]));
  assert.deepEqual(await recipientsOf(context, unfiltered), profiles);
});

test('a template goes to Whatsapp, a text or a scenario elsewhere; a scenario waits for its engine', async () => {
  const { project, profiles } = await seedClients(sql, 1);
  const whatsapp = await seedChannel(sql, project, 'Whatsapp');
  const buyer = await seedProfile(sql, project);
  await seedChat(sql, project, { channelId: whatsapp, profileId: buyer, platform: 'Whatsapp' });
  const planned = async (seed: Parameters<typeof seedMailing>[2]) => {
    const id = await seedMailing(context, project, { filter_chats: everybody, ...seed });
    await planAll(context);
    const rows = await sql`
      select platform, content_type, messages.channel_id is null as waits
      from messages join chats on chats.id = chat_id where mailing_id = ${id} order by platform`;
    return rows.map(({ platform, content_type, waits }) => [platform, content_type, waits]);
  };
  assert.equal(profiles.length, 1);
  const elsewhere = 'API_Messenger';
  assert.deepEqual(await planned({}), [[elsewhere, 'TEXT', false]]);
  assert.deepEqual(await planned({ content_type: 'NODE', node_id: 1 }), [[elsewhere, 'NODE', true]]);
  const toWhatsapp = ['Whatsapp', 'WHATSAPP_TEMPLATE', false];
  assert.deepEqual(await planned({ content_type: 'TEMPLATE_WHATSAPP' }), [toWhatsapp]);
  assert.deepEqual(await planned({ content_type: 'MIXED' }), [[elsewhere, 'TEXT', false], toWhatsapp]);
  assert.deepEqual(await planned({ content_type: 'MIXED', node_id: 1 }), [
    [elsewhere, 'NODE', true],
    toWhatsapp,
  ]);
});

test('a run begins with a small chunk, because the speed of its filter is unknown', async () => {
  const { project, profiles } = await seedClients(sql, 25);
  const id = await seedMailing(context, project, { filter_chats: everybody });
  const held = await claimOne(context);
  const begun = held && (await takeStep(context, held, never));
  const planned = begun && (await takeStep(context, begun, never));
  assert.deepEqual(await recipientsOf(context, id), profiles.slice(0, 20));
  assert.ok(planned && (await takeStep(context, planned, never)));
  assert.deepEqual(await recipientsOf(context, id), profiles);
});

test('one recipient who cannot be planned is parked with a reason, and the others get theirs', async () => {
  const { project, profiles, chats } = await seedClients(sql, 5);
  const [, , poisonous = ''] = chats;
  await sql.unsafe(`
    create function spoil() returns trigger language plpgsql as $$ begin raise exception 'spoilt'; end $$;
    create trigger spoil before insert on messages for each row when (new.chat_id = '${poisonous}')
    execute function spoil()`);
  const id = await seedMailing(context, project, { filter_chats: everybody });
  for (let n = 0; n < 40; n += 1) {
    const held = await claimOne(context);
    if (held) await workOn(context, held, never);
    else clock.advance(60_000);
  }
  await sql.unsafe('drop trigger spoil on messages; drop function spoil');
  assert.deepEqual(await recipientsOf(context, id), profiles.toSpliced(2, 1));
  const [problem, ...others] = await problemsOf(context, id);
  assert.deepEqual(others, []);
  assert.deepEqual(problem?.slice(1), [
    profiles[2],
    'An unexpected error kept this recipient from being planned.',
  ]);
});
