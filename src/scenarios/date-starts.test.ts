import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { seedChannel, seedChat, seedProfile, seedProject } from '../../test/seed.ts';
import { addAttribute } from '../clients/profiles/dictionary.ts';
import { learnPhone } from '../messaging/chats/learn-phone.ts';
import { findChat } from '../messaging/chats/store.ts';
import { nilUuid } from '../platform/id.ts';
import { startByDates } from './date-starts.ts';
import { birthdaysPage } from './date-starts-store.ts';
import { importScenario } from './import.ts';
import { addStarter } from './starters.ts';

const database = await testDatabase({ after });
const clock = manualClock(new Date('2026-03-01T00:00:00Z'));
const context = testContext(database, clock);
after(() => context.outbound.close());
const { sql } = context;
const { longSql } = database;
const at = (moment: string) => clock.advance(new Date(moment).getTime() - clock.now().getTime());

/** A project whose scenario starts at nine on birthdays. */
async function birthdays() {
  const projectId = await seedProject(sql);
  await addAttribute(context, { projectId, name: 'birthday' });
  const file = Buffer.from(JSON.stringify({ name: 'Birthday', steps: [{ id: 'e', type: 'end' }] }));
  const { id } = await importScenario(context, { projectId, file });
  const starter = await addStarter(context, projectId, id, { kind: 'date', value: 'birthday', to: '9' });
  return {
    projectId,
    starter,
    client: async (birthday: unknown, timezone: string | null = null) => {
      const profile = await seedProfile(sql, projectId);
      const attrs = sql.json({ birthday: birthday as string });
      await sql`update profiles set attrs = ${attrs}, timezone = ${timezone} where id = ${profile}`;
      return profile;
    },
    /** The profiles that the job starts at the moment, which a worker then takes. */
    startedAt: async (moment: string) => {
      at(moment);
      await startByDates(context);
      const rows = await sql<{ profile_id: string }[]>`
        delete from scenario_event_starts where project_id = ${projectId} returning profile_id`;
      return rows.map(({ profile_id }) => profile_id);
    },
  };
}

test('a birthday starts its scenario from the hour on in the zone of the client, and once a year', async () => {
  const { client, startedAt } = await birthdays();
  const auckland = await client('1990-06-15', 'Pacific/Auckland');
  const nowhere = await client('1990-06-15');
  const honolulu = await client('15.06.1985', 'Pacific/Honolulu');
  await client('1990-06-16', 'Europe/Oslo');
  assert.deepEqual(await startedAt('2026-06-14T20:59:00Z'), []);
  assert.deepEqual(await startedAt('2026-06-14T21:00:00Z'), [auckland]);
  assert.deepEqual(await startedAt('2026-06-15T08:59:59Z'), []);
  assert.deepEqual(await startedAt('2026-06-15T09:00:00Z'), [nowhere]);
  assert.deepEqual(await startedAt('2026-06-15T18:59:00Z'), []);
  assert.deepEqual(await startedAt('2026-06-15T19:00:00Z'), [honolulu]);
  assert.deepEqual(await startedAt('2026-06-15T19:10:00Z'), []);
  assert.deepEqual((await startedAt('2027-06-15T09:00:00Z')).toSorted(), [nowhere, auckland].toSorted());
});

test('a client who was started is not started again when their profile is merged into another one', async () => {
  const { projectId, client, startedAt } = await birthdays();
  const own = await client('1990-06-20');
  assert.deepEqual(await startedAt('2027-06-20T09:00:00Z'), [own]);
  const owner = await seedProfile(sql, projectId);
  await sql`update profiles set phone_number = '+12025550143' where id = ${owner}`;
  const channelId = await seedChannel(sql, projectId);
  const chatId = await seedChat(sql, projectId, { channelId, profileId: own });
  const chat = await findChat(sql, projectId, chatId);
  assert.ok(chat);
  const merged = await learnPhone(context, chat, '+12025550143', { type: 'channel', name: 'Test' });
  assert.equal(merged.profile_id, owner);
  assert.deepEqual(await startedAt('2027-06-20T10:00:00Z'), []);
});

test('after downtime the day catches up until it ends there, and a later day does not', async () => {
  const { client, startedAt } = await birthdays();
  const late = await client('2000-08-01', 'Europe/Oslo');
  assert.deepEqual(await startedAt('2027-08-01T21:59:00Z'), [late]);
  await client('2000-08-03', 'Europe/Oslo');
  assert.deepEqual(await startedAt('2027-08-03T22:00:00Z'), []);
});

test('a client who moves to another zone or birthday, and a starter that is added again, start nothing twice', async () => {
  const { client, startedAt, projectId, starter } = await birthdays();
  const moving = await client('2000-09-01', 'Asia/Tokyo');
  assert.deepEqual(await startedAt('2027-09-01T00:00:00Z'), [moving]);
  await sql`
    update profiles set timezone = 'America/New_York', attrs = '{"birthday": "2000-09-02"}' where id = ${moving}`;
  assert.deepEqual(await startedAt('2027-09-02T14:00:00Z'), []);
  await sql`delete from scenario_event_starters where id = ${starter}`;
  const [scenario] = await sql<[{ id: number }]>`select id from scenarios where project_id = ${projectId}`;
  await addStarter(context, projectId, scenario.id, { kind: 'date', value: 'birthday', to: '10' });
  assert.deepEqual(await startedAt('2027-09-02T15:00:00Z'), []);
  await sql`update scenario_event_starters set is_enabled = false where project_id = ${projectId}`;
  await client('2000-09-02');
  assert.deepEqual(await startedAt('2027-09-02T16:00:00Z'), []);
});

test('two runs of the job at once start each client once', async () => {
  const { client, startedAt } = await birthdays();
  const clients = await Promise.all(Array.from({ length: 20 }, () => client('1999-10-10')));
  at('2027-10-10T10:00:00Z');
  await Promise.all([startByDates(context), startByDates(context)]);
  assert.deepEqual((await startedAt('2027-10-10T10:00:01Z')).toSorted(), clients.toSorted());
});

test('the 29th of February is the 28th in other years, and what is no date starts nothing', async () => {
  const { client, startedAt } = await birthdays();
  const leaping = await client('2004-02-29');
  for (const odd of ['soon', '', 7, true, null, { day: 1 }, '2004-99-99']) await client(odd);
  assert.deepEqual(await startedAt('2028-02-28T12:00:00Z'), []);
  assert.deepEqual(await startedAt('2028-02-29T12:00:00Z'), [leaping]);
  assert.deepEqual(await startedAt('2029-02-28T12:00:00Z'), [leaping]);
  assert.deepEqual(await startedAt('2029-03-01T12:00:00Z'), []);
});

test('every client of many pages is looked at', async () => {
  const { projectId, startedAt } = await birthdays();
  await longSql`
    insert into profiles (project_id, id, attrs, created_at, updated_at)
    select ${projectId}, gen_random_uuid(), jsonb_build_object('birthday', '1980-12-' || 10 + n % 2), ${clock.now()}, ${clock.now()}
    from generate_series(1, 4500) as n`;
  assert.equal((await startedAt('2029-12-10T12:00:00Z')).length, 2250);
  const [row] = await sql<
    [{ years: number[] }]
  >`select array_agg(distinct year) as years from scenario_date_starts`;
  assert.deepEqual(row.years, [2028, 2029]);
});

test('a page has few clients with large attributes, and at least one', async () => {
  const { projectId, startedAt } = await birthdays();
  await longSql`
    insert into profiles (project_id, id, attrs, created_at, updated_at)
    select ${projectId}, gen_random_uuid(), jsonb_build_object('birthday', '1980-12-10', 'about', (
      select string_agg(md5(n || '-' || m), '') from generate_series(1, 1500) as m
    )), ${clock.now()}, ${clock.now()}
    from generate_series(1, 60) as n`;
  const starter = { id: nilUuid, project_id: projectId, scenario_id: 0, attribute: 'birthday', hour: 0 };
  const page = (mostBytes: number) =>
    birthdaysPage(sql, starter, ['12-10'], { after: nilUuid, most: 2_000, mostBytes });
  const { found } = await page(256 * 1024);
  assert.ok(found.length > 3 && found.length < 10, `${found.length} clients of 48 KB`);
  assert.equal((await page(1)).found.length, 1);
  assert.equal((await startedAt('2030-12-10T12:00:00Z')).length, 60);
});

test('a scenario that cannot be started by dates delays no other one, and fails the job', async () => {
  const scenarios = [await birthdays(), await birthdays()];
  const [failing, other] = scenarios.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1));
  assert.ok(failing && other);
  await failing.client('2000-11-05');
  const client = await other.client('2000-11-05');
  await sql`
    create function too_slow() returns trigger language plpgsql as
    $$ begin raise 'too slow' using errcode = 'query_canceled'; end $$`;
  await sql.unsafe(`
    create trigger slow before insert on scenario_date_starts
    for each row when (new.project_id = '${failing.projectId}') execute function too_slow()`);
  await assert.rejects(other.startedAt('2031-11-05T12:00:00Z'), /^Error: 1 of \d+ starters failed$/);
  await sql`drop function too_slow cascade`;
  const started = await sql`
    select profile_id from scenario_event_starts where project_id in (${failing.projectId}, ${other.projectId})`;
  assert.deepEqual(started, [{ profile_id: client }]);
});
