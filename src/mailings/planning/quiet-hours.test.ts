import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  everybody,
  planAll,
  seedClients,
  seedMailing,
  startScene,
  sumsOf,
} from '../../../test/planning-scene.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });
const { project, profiles } = await seedClients(sql, 6);

/** It is noon in UTC: quiet hours in Tokyo, but not in Oslo. */
const facts = [
  { timezone: 'Asia/Tokyo', phone_number: null },
  { timezone: 'Europe/Oslo', phone_number: '+819012345678' },
  { timezone: null, phone_number: '+819012345678' },
  { timezone: null, phone_number: '+4791234567' },
  { timezone: null, phone_number: '+79161234567' },
  { timezone: null, phone_number: null },
];
for (const [index, { timezone, phone_number }] of facts.entries()) {
  // One after another: a number belongs to one client.
  await sql`
    update profiles set timezone = ${timezone}, phone_number = ${index === 1 ? '+819012345679' : phone_number}
    where id = ${profiles[index]}`;
}
await sql`
  update projects set quiet_from = '21:00', quiet_until = '09:00', timezone = 'Asia/Kolkata' where id = ${project}`;

const now = clock.now().toISOString();
const morning = '2026-11-21T00:00:00.000Z';
/** In Russia some zone has quiet hours for 22 of 24 hours. */
const expected = [morning, now, morning, now, '2026-11-21T07:00:00.000Z', now];

async function dueOf(mailing: string): Promise<string[]> {
  const rows = await sql<{ due_at: Date; profile_id: string }[]>`
    select due_at, profile_id from messages join chats on chats.id = chat_id where mailing_id = ${mailing}`;
  const byProfile = new Map(rows.map(({ profile_id, due_at }) => [profile_id, due_at.toISOString()]));
  return profiles.map((id) => byProfile.get(id) ?? 'none');
}

const waitsOf = async (mailing: string) =>
  (await sql`select until, messages from mailing_waits where mailing_id = ${mailing} order by until`).map(
    ({ until, messages }) => [until.toISOString(), messages],
  );

test('a message is planned for the end of its client’s quiet hours, and counted', async () => {
  const mailing = await seedMailing(context, project, { filter_chats: everybody });
  await planAll(context);
  assert.deepEqual(await dueOf(mailing), expected);
  assert.deepEqual(await waitsOf(mailing), [
    [morning, 2],
    ['2026-11-21T07:00:00.000Z', 1],
  ]);
  assert.deepEqual(await sumsOf(context, mailing), [6, 0, 0, 0]);
});

test('a list and a scenario wait in the same way', async () => {
  const list = await seedMailing(context, project, { field: 'UUID', array: profiles });
  await sql`
    insert into scenarios (project_id, id, name, created_at) values (${project}, 1, 'Hello', ${clock.now()})`;
  const scenario = await seedMailing(context, project, {
    filter_chats: everybody,
    content_type: 'NODE',
    node_id: 1,
  });
  await planAll(context);
  assert.deepEqual(await dueOf(list), expected);
  assert.deepEqual(await dueOf(scenario), expected);
});

/** It is noon in UTC, so half past five in the afternoon in India, and one in the night in Fiji and Kiribati. */
const names: [zone: string, due: string][] = [
  ['Asia/Calcutta', now],
  ['Asia/Kolkata', now],
  ['Pacific/Enderbury', '2026-11-20T20:00:00.000Z'],
  ['Pacific/Kanton', '2026-11-20T20:00:00.000Z'],
  ['Etc/GMT-10', '2026-11-20T23:00:00.000Z'],
  ['Japan', morning],
  ['ROK', morning],
  ['asia/tokyo', morning],
  ['JAPAN', morning],
  ['UTC', now],
  ['Nowhere/Town', morning],
];

test('a client has quiet hours by whatever name their zone is known', async () => {
  const other = await seedClients(sql, names.length);
  await sql`
    update projects set quiet_from = '21:00', quiet_until = '09:00', timezone = 'UTC' where id = ${other.project}`;
  for (const [index, [timezone]] of names.entries()) {
    // A name that no platform knows tells less than the phone.
    const phone = timezone === 'Nowhere/Town' ? '+819012345670' : null;
    await sql`
      update profiles set timezone = ${timezone}, phone_number = ${phone} where id = ${other.profiles[index]}`;
  }
  const mailing = await seedMailing(context, other.project, { filter_chats: everybody });
  await planAll(context);
  const rows = await sql<{ due_at: Date; timezone: string }[]>`
    select due_at, timezone from messages join chats on chats.id = chat_id join profiles on profiles.id = profile_id
    where mailing_id = ${mailing}`;
  const due = new Map(rows.map(({ timezone, due_at }) => [timezone, due_at.toISOString()]));
  assert.deepEqual(
    names.map(([zone]) => [zone, due.get(zone)]),
    names,
  );
});

test('planning a page twice counts its waiting messages once, and a new run forgets what is over', async () => {
  const mailing = await seedMailing(context, project, {
    filter_chats: everybody,
    regular_cron: '0 12 * * *',
  });
  await planAll(context);
  await sql`
    update mailings set stage = 'planning', progress = progress || '{"cursor": null}', due_at = ${clock.now()}
    where id = ${mailing}`;
  await planAll(context);
  assert.equal((await waitsOf(mailing)).length, 2);
  assert.deepEqual((await waitsOf(mailing))[0], [morning, 2]);
  clock.advance(24 * 3_600_000);
  await sql`update messages set state = 'CANCELLED' where mailing_id = ${mailing}`;
  await sql`
    update mailing_counts set cancelled = planned where mailing_id = ${mailing}`;
  await planAll(context);
  await sql`update mailings set due_at = ${clock.now()} where id = ${mailing} and state = 'planned'`;
  await planAll(context);
  assert.deepEqual(
    (await waitsOf(mailing)).map(([until]) => until),
    ['2026-11-22T00:00:00.000Z', '2026-11-22T07:00:00.000Z'],
  );
});

test('without quiet hours every message is due at once', async () => {
  const other = await seedClients(sql, 2);
  await sql`update profiles set timezone = 'Asia/Tokyo', phone_number = null where project_id = ${other.project}`;
  const mailing = await seedMailing(context, other.project, { filter_chats: everybody });
  await planAll(context);
  const rows = await sql`select due_at from messages where mailing_id = ${mailing}`;
  assert.deepEqual(
    rows.map(({ due_at }) => due_at.getTime()),
    [clock.now().getTime(), clock.now().getTime()],
  );
  assert.deepEqual(await waitsOf(mailing), []);
});
