import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProfile, seedProject } from '../../../test/seed.ts';
import { watchUnderWay } from '../../../test/under-way.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import type { Correspondent } from '../../channels/contract/inbound.ts';
import { type Actor, entryBy } from '../../clients/profiles/audit.ts';
import { changeProfile } from '../../clients/profiles/change-store.ts';
import { countRows } from '../../platform/database/row-counts.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import { chatOf } from './correspondent.ts';
import { openChatByPhone } from './open.ts';
import { receiveEvents } from './receive.ts';
import type { ChatChannel } from './store.ts';

const { sql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock());
const phone = '+12015550123';

let channel: ChatChannel;
let projectId: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
  for (const name of ['vip', 'new', 'old']) await sql`insert into tags values (${projectId}, ${name})`;
  for (const name of ['city', 'size']) await sql`insert into attributes values (${projectId}, ${name})`;
  channel = await newChannel();
});

const newChannel = async (): Promise<ChatChannel> => ({
  projectId,
  id: await seedChannel(sql, projectId),
  platform: 'API_Messenger',
  name: 'Messenger',
});

let messages = 0;
const writes = async (who: Correspondent, place = channel) => {
  messages += 1;
  const [received] = await receiveEvents(context, place, [
    {
      kind: 'message',
      chat: who,
      message: { externalId: `m${messages}`, type: 'text', text: 'Hi', url: null, payload: null },
    },
  ]);
  assert.ok(received);
  return { chat: received.chatUuid, profile: received.profileUuid };
};

const profile = async (id: string) => (await sql`select * from profiles where id = ${id}`)[0];
const profileOf = async (chatId: string) =>
  (await sql`select profile_id from chats where id = ${chatId}`)[0]?.profile_id;
const actions = async () =>
  (await sql`select action from profile_audit where project_id = ${projectId} order by id`).map(
    ({ action }) => action,
  );

const change = (id: string, fields: object) =>
  sql`
    update profiles set (phone_number, external_id, name, email, timezone, pda_agreed, tags, attrs) = (
      select phone_number, external_id, name, email, timezone, pda_agreed, tags, attrs
      from jsonb_populate_record(profiles, ${sql.json(fields)}))
    where project_id = ${projectId} and id = ${id}`;

test('of many clients with new numbers one is settled at a time, so that others find free connections', async () => {
  const watched = watchUnderWay(sql);
  const numbers = Array.from({ length: 10 }, (_, place) => `+1201555${2000 + place}`);
  const names = numbers.map((_, place) => `client-${place}`);
  for (const externalId of names) await writes({ externalId });
  await Promise.all(
    names.map((externalId, place) =>
      chatOf({ ...context, sql: watched.sql }, channel, { externalId, phone: numbers[place] }),
    ),
  );
  assert.equal(watched.most(), 1);
  const [given] = await sql`
    select count(*) as count from profiles where project_id = ${projectId} and phone_number = any (${numbers}::text[])`;
  assert.equal(given?.count, 10);
});

test('a chat brings all the data of its profile to the profile that has its number', async () => {
  const owner = await writes({ externalId: 'work', phone });
  const ann = await writes({ externalId: 'ann', name: 'Ann' });
  const second = await seedChat(sql, projectId, { channelId: channel.id, profileId: ann.profile });
  await change(owner.profile, { timezone: 'UTC', tags: ['old', 'vip'], attrs: { city: 'Bergen' } });
  await change(ann.profile, {
    external_id: 'crm-1',
    email: 'ann@mail.example',
    timezone: 'Europe/Oslo',
    pda_agreed: noon,
    tags: ['vip', 'new'],
    attrs: { city: 'Oslo', size: 42 },
  });
  assert.equal((await writes({ externalId: 'ann', phone })).profile, owner.profile);

  const target = await profile(owner.profile);
  assert.deepEqual(
    { ...target, created_at: null, updated_at: null },
    {
      project_id: projectId,
      id: owner.profile,
      external_id: 'crm-1',
      phone_number: phone,
      email: 'ann@mail.example',
      name: 'Ann',
      timezone: 'UTC',
      pda_agreed: noon,
      tags: ['old', 'vip', 'new'],
      attrs: { city: 'Bergen', size: 42 },
      created_at: null,
      updated_at: null,
    },
  );
  assert.equal(await profile(ann.profile), undefined);
  for (const chat of [owner.chat, ann.chat, second]) assert.equal(await profileOf(chat), owner.profile);
  assert.equal(await countRows(sql, projectId, 'profiles'), 1);
});

test('a profile that has no room for the attributes of another one keeps its own, and gets the rest', async () => {
  const owner = await writes({ externalId: 'work', phone });
  const ann = await writes({ externalId: 'ann', name: 'Ann' });
  const large = 'x'.repeat(40_000);
  await change(owner.profile, { attrs: { city: large } });
  await change(ann.profile, { email: 'ann@mail.example', attrs: { size: large } });
  assert.equal((await writes({ externalId: 'ann', phone })).profile, owner.profile);
  const target = await profile(owner.profile);
  assert.deepEqual([target?.email, target?.attrs], ['ann@mail.example', { city: large }]);
  assert.equal(await profile(ann.profile), undefined);
});

for (const [promise, facts] of [
  ['has a number of its own', { phone_number: '+12015550199' }],
  ['is known by another id, as the owner of the number is', { external_id: 'crm-2' }],
] as const) {
  test(`a profile that ${promise} stays, and only its chat moves`, async () => {
    const owner = await writes({ externalId: 'work', phone });
    await change(owner.profile, { external_id: 'crm-1' });
    const ann = await writes({ externalId: 'ann', name: 'Ann' });
    const second = await seedChat(sql, projectId, { channelId: channel.id, profileId: ann.profile });
    await change(ann.profile, facts);
    const before = await profile(ann.profile);

    assert.equal((await writes({ externalId: 'ann', phone })).profile, owner.profile);
    assert.deepEqual(await profile(ann.profile), before);
    assert.deepEqual([await profileOf(ann.chat), await profileOf(second)], [owner.profile, ann.profile]);
    assert.equal((await profile(owner.profile))?.name, null);
    assert.deepEqual(await actions(), ['created', 'created']);
  });
}

test('a profile that has a number keeps it when its chat reports a free one', async () => {
  const ann = await writes({ externalId: 'ann', phone });
  assert.equal((await writes({ externalId: 'ann', phone: '+12015550199' })).profile, ann.profile);
  assert.equal((await profile(ann.profile))?.phone_number, phone);
});

test('a number that is reported again changes nothing', async () => {
  await writes({ externalId: 'ann', phone });
  await writes({ externalId: 'ann', phone: '1 201 555 0123' });
  assert.deepEqual(await actions(), ['created']);
});

test("a number's owner in another project is unknown here", async () => {
  const theirs = await seedProfile(sql, await seedProject(sql), { phone_number: phone });
  const ann = await writes({ externalId: 'ann' });
  assert.equal((await writes({ externalId: 'ann', phone })).profile, ann.profile);
  assert.deepEqual((await profile(theirs))?.phone_number, phone);
  assert.deepEqual(await actions(), ['created', 'updated']);
});

test('a number that another profile gets meanwhile leads to that profile', twoSessions, async () => {
  const ann = await writes({ externalId: 'ann' });
  let learning: ReturnType<typeof writes> | undefined;
  let owner = '';
  await sql.begin(async (transaction) => {
    owner = await seedProfile(transaction, projectId, { phone_number: phone });
    learning = writes({ externalId: 'ann', phone });
    await somebodyWaits(sql);
  });
  assert.equal((await learning)?.profile, owner);
  assert.equal(await profile(ann.profile), undefined);
});

test('a chat that moves during the wait for its profile is looked up again', twoSessions, async () => {
  const ann = await writes({ externalId: 'ann' });
  const other = await seedProfile(sql, projectId);
  let learning: ReturnType<typeof writes> | undefined;
  await sql.begin(async (transaction) => {
    await transaction`update profiles set name = 'Ann' where id = ${ann.profile}`;
    learning = writes({ externalId: 'ann', phone });
    await somebodyWaits(sql);
    await transaction`update chats set profile_id = ${other} where id = ${ann.chat}`;
  });
  assert.equal((await learning)?.profile, other);
  assert.equal((await profile(other))?.phone_number, phone);
});

test('a transaction that moves a chat locks the new profile before the chat', twoSessions, async () => {
  await seedChannel(sql, projectId, 'Whatsapp');
  const owner = await seedProfile(sql, projectId, { phone_number: phone });
  const actor: Actor = { type: 'bot_key', name: 'CRM' };
  const opened = await openChatByPhone(context, projectId, owner, 'Whatsapp', phone, actor);
  assert.ok(opened);
  const former = await seedProfile(sql, projectId);
  await sql`update chats set profile_id = ${former} where id = ${opened.id}`;
  let moving: ReturnType<typeof openChatByPhone> | undefined;
  await sql.begin(async (transaction) => {
    await transaction`select from profiles where id = ${owner} for update`;
    moving = openChatByPhone(context, projectId, owner, 'Whatsapp', phone, actor);
    await somebodyWaits(sql);
    await transaction`update chats set name = 'Ann' where id = ${opened.id}`;
  });
  assert.equal((await moving)?.profileId, owner);
});

/** A mix of all operations that create, change or merge profiles, on a few clients and numbers. */
function storm(random: () => number, places: readonly ChatChannel[]): (() => Promise<unknown>)[] {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const phones = Array.from({ length: 4 }, (_, index) => `+120155501${10 + index}`);
  const actor: Actor = { type: 'bot_key', name: 'CRM' };
  const someProfile = async (): Promise<string> => {
    const [row] =
      await sql`select id from profiles where project_id = ${projectId} order by random() limit 1`;
    return String(row?.id);
  };
  const changed = async (fields: object, tags: string[] = []): Promise<void> => {
    const given = { fields, tags: { replace: tags }, attrs: { size: random() } };
    await changeProfile(sql, projectId, await someProfile(), given, entryBy(actor, context)).catch(
      (error) => {
        if (!isUniqueViolation(error)) throw error;
      },
    );
  };
  const kinds = [
    () => writes({ externalId: `client-${Math.floor(random() * 12)}`, name: 'Somebody' }, pick(places)),
    () => writes({ externalId: `client-${Math.floor(random() * 12)}`, phone: pick(phones) }, pick(places)),
    () => writes({ externalId: `client-${Math.floor(random() * 12)}`, phone: pick(phones) }, pick(places)),
    () => changed({ phone_number: pick([...phones, null]) }, ['vip', pick(['new', 'old'])]),
    () =>
      changed({ external_id: pick(['crm-1', 'crm-2', 'crm-3', null]), email: `${random()}@mail.example` }),
    async () => {
      const number = pick(phones);
      const [owner] =
        await sql`select id from profiles where project_id = ${projectId} and phone_number = ${number}`;
      if (owner) await openChatByPhone(context, projectId, owner.id, 'Whatsapp', number, actor);
    },
  ];
  return Array.from({ length: 200 }, () => pick(kinds));
}

/** A small seeded generator of random numbers (mulberry32), so that a failed storm can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (const seed of [1, 2, 3]) {
  test(`concurrent operations never fail, and audit, counts and tags agree with the profiles (${seed})`, async () => {
    await seedChannel(sql, projectId, 'Whatsapp');
    for (let index = 0; index < 6; index += 1) await writes({ externalId: `client-${index}` });
    const places = [channel, await newChannel()];
    await Promise.all(storm(seeded(seed), places).map((act) => act()));

    const [counted] = await sql`select count(*)::int as count from profiles where project_id = ${projectId}`;
    assert.equal(await countRows(sql, projectId, 'profiles'), counted?.count);
    assert.deepEqual(
      await sql`select tag, profile_id from profile_tags where project_id = ${projectId} order by 1, 2`,
      await sql`select unnest(tags) as tag, id as profile_id from profiles where project_id = ${projectId} order by 1, 2`,
    );
    for (const tag of ['vip', 'new', 'old']) {
      const [tagged] = await sql`
        select count(*)::int as count from profiles where project_id = ${projectId} and tags @> array[${tag}]`;
      assert.equal(await countRows(sql, projectId, 'profile_tags', tag), tagged?.count);
    }
    await assertAuditTellsAll();
  });
}

/**
 * For each profile and field, every value is set as often as it is unset, except the current value. This holds for
 * any order of records with the same time.
 */
async function assertAuditTellsAll(): Promise<void> {
  const unbalanced = await sql`
    with facts as (
      select id as profile_id, field, value
      from profiles, jsonb_each(profile_facts(profiles)) as fact (field, value)
      where project_id = ${projectId}
    ),
    moves as (
      select profile_id, field, change -> 0 as before, change -> 1 as after
      from profile_audit, jsonb_each(changes) as told (field, change)
      where project_id = ${projectId} and field <> 'uuid'
    ),
    blank as (select field, value from jsonb_each(profile_facts(null)) as fact (field, value)),
    sums as (
      select profile_id, field, after as value, 1 as sign from moves
      union all select profile_id, field, before, -1 from moves
      union all select profile_id, field, value, -1 from facts
      union all select distinct profile_id, field, blank.value, 1 from (
        select profile_id, field from facts union select profile_id, field from moves
      ) as touched join blank using (field)
      union all select profile_id, field, blank.value, -1 from (
        select profile_id, field from moves except select profile_id, field from facts
      ) as gone join blank using (field)
    )
    select profile_id, field, value, sum(sign) from sums group by 1, 2, 3 having sum(sign) <> 0`;
  assert.deepEqual([...unbalanced], []);
}
