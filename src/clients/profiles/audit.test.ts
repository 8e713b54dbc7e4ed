import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedChannel, seedProfile } from '../../../test/seed.ts';
import { addAttribute, addTag } from './dictionary.ts';

const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;

let partner: Awaited<ReturnType<typeof createPartner>>;

beforeEach(async () => {
  partner = await createPartner({ after }, patchbay);
  await addTag(context, { projectId: partner.projectId, name: 'vip' });
  await addAttribute(context, { projectId: partner.projectId, name: 'city' });
});

type Told = { [field: string]: unknown };

const audit = (path = '', headers = partner.key) =>
  call('GET', `/api/partners/profiles/audit/${path}`, { headers });
const put = (uuid: string, body: object, headers = partner.key) =>
  call('PUT', `/api/partners/profiles/${uuid}/`, { headers, body });

/** The records of the audit, newest first, without the parts that differ from run to run. */
const told = async (path = ''): Promise<Told[]> => {
  const { status, body } = await audit(path);
  assert.equal(status, 200);
  assert.equal(body.count, body.results.length);
  return body.results.map(({ uuid, timestamp, ...record }: Told) => record);
};

const channel = { type: 'channel', name: 'Messenger' };
const key = { type: 'bot_key', name: 'default' };
const application = { type: 'application', name: 'CRM' };

/** A known client writes again. */
async function writes(name: string, chat: Told): Promise<void> {
  const { status } = await call('POST', `/channels/${partner.channel.id}/messages/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: {
      chat: { external_id: name, ...chat },
      message: { external_id: `again-${name}`, type: 'text', text: 'Hi' },
    },
  });
  assert.equal(status, 200);
}

test("a client's first message is recorded as the channel's change", async () => {
  const { profile } = await partner.client('ann', { phone: '+12015550123' });
  const { body } = await audit();
  assert.deepEqual(body, {
    count: 1,
    next: null,
    previous: null,
    results: [
      {
        uuid: body.results[0]?.uuid,
        profile: { uuid: profile },
        action: 'created',
        changes: { name: [null, 'ann'], phone_number: [null, '+12015550123'] },
        actor: channel,
        timestamp: clock.now().toISOString(),
      },
    ],
  });
});

test('a first message without a number is recorded too, and a second one adds no record', async () => {
  const { profile } = await partner.client('ann');
  await partner.client('ann');
  await partner.client('ann', { external_id: 'ann' });
  assert.deepEqual(await told(), [
    { profile: { uuid: profile }, action: 'created', changes: { name: [null, 'ann'] }, actor: channel },
  ]);
});

test('a client who joins a known profile does not change it', async () => {
  const first = await partner.client('ann', { phone: '+12015550123' });
  const second = await partner.client('ann-at-work', { phone: '+12015550123' });
  assert.equal(second.profile, first.profile);
  assert.equal((await told()).length, 1);
});

test('an update is recorded field by field, with its key or application as the actor', async () => {
  const { profile } = await partner.client('ann');
  const body = {
    name: 'Ann',
    email: 'ann@mail.example',
    pda_agreed: '2026-11-20T06:00:00+02:00',
    tags: ['vip', 'undefined'],
    attrs: { city: 'Bergen', colour: 'red' },
  };
  await put(profile, body);
  await put(profile, { tags: [], attrs: { city: null }, external_id: 'crm-1' }, partner.token);
  const [second, first] = await told(`?profile=${profile}`);
  assert.deepEqual(first, {
    profile: { uuid: profile },
    action: 'updated',
    changes: {
      name: ['ann', 'Ann'],
      email: [null, 'ann@mail.example'],
      pda_agreed: [null, '2026-11-20T04:00:00.000Z'],
      tags: [[], ['vip']],
      attrs: [{}, { city: 'Bergen' }],
    },
    actor: key,
  });
  assert.deepEqual(second, {
    profile: { uuid: profile },
    action: 'updated',
    changes: { tags: [['vip'], []], attrs: [{ city: 'Bergen' }, {}], external_id: [null, 'crm-1'] },
    actor: application,
  });
});

test('an update without changes is not recorded', async () => {
  const { profile } = await partner.client('ann');
  await put(profile, { tags: ['vip'], attrs: { city: 'Bergen' }, pda_agreed: '2026-11-20T04:00:00Z' });
  const before = await told();
  clock.advance(1000);
  for (const body of [
    {},
    { name: 'ann' },
    { tags: ['vip', 'vip', 'undefined'] },
    { attrs: { colour: 'red', city: 'Bergen' } },
    { pda_agreed: '2026-11-20T04:00:00.000Z' },
    { external_id: null },
  ]) {
    await put(profile, body);
  }
  assert.deepEqual(await told(), before);
});

test('tags in another order are the same tags', async () => {
  await addTag(context, { projectId: partner.projectId, name: 'new' });
  const { profile } = await partner.client('ann');
  await put(profile, { tags: ['vip', 'new'] });
  const before = await told();
  await put(profile, { tags: ['new', 'vip'] });
  assert.deepEqual(await told(), before);
});

for (const who of ['key', 'token'] as const) {
  test(`tags and attributes of a push are recorded with its ${who} as the actor`, async () => {
    const { profile } = await partner.client('ann');
    const push = {
      profile: { uuid: profile, tags: ['vip'], attrs: { city: 'Bergen' } },
      content: { type: 'TEXT', text: 'Hi' },
    };
    for (let times = 0; times < 2; times += 1) {
      const { status } = await call('POST', '/api/partners/push-messages/', {
        headers: partner[who],
        body: push,
      });
      assert.equal(status, 201);
    }
    const [record, ...older] = await told();
    assert.deepEqual(record, {
      profile: { uuid: profile },
      action: 'updated',
      changes: { tags: [[], ['vip']], attrs: [{}, { city: 'Bergen' }] },
      actor: who === 'key' ? key : application,
    });
    assert.equal(older.length, 1);
  });
}

test('a profile that the connector makes is recorded with its application as the actor', async () => {
  await seedChannel(context.sql, partner.projectId, 'Whatsapp');
  const { status, body } = await call('POST', '/api/partners/connector/', {
    headers: partner.token,
    body: {
      event: 'message_created',
      chat: { phone_number: '+12015550123' },
      sender: { name: 'Olga' },
      timestamp: 1_763_640_000_000,
      message: { type: 'whatsapp_text', text: 'Hi' },
    },
  });
  assert.equal(status, 200);
  assert.deepEqual(await told(), [
    {
      profile: { uuid: body.profile_uuid },
      action: 'created',
      changes: { phone_number: [null, '+12015550123'] },
      actor: application,
    },
  ]);
});

test("a number that a client gives later is recorded as the channel's change", async () => {
  const { profile } = await partner.client('ann');
  await writes('ann', { phone: '+12015550123' });
  assert.deepEqual((await told())[0], {
    profile: { uuid: profile },
    action: 'updated',
    changes: { phone_number: [null, '+12015550123'] },
    actor: channel,
  });
});

test('a merge is recorded for both profiles, and names each to the other', async () => {
  const owner = await partner.client('ann-at-work', { phone: '+12015550123' });
  const joiner = await partner.client('ann');
  await put(joiner.profile, { email: 'ann@mail.example', tags: ['vip'], external_id: 'crm-1' });
  await writes('ann', { phone: '+12015550123' });
  const uuid = [joiner.profile, owner.profile];
  assert.deepEqual((await told()).slice(0, 2), [
    {
      profile: { uuid: owner.profile },
      action: 'merged',
      changes: { email: [null, 'ann@mail.example'], tags: [[], ['vip']], external_id: [null, 'crm-1'], uuid },
      actor: channel,
    },
    {
      profile: { uuid: joiner.profile },
      action: 'deleted',
      changes: {
        name: ['ann', null],
        email: ['ann@mail.example', null],
        tags: [['vip'], []],
        external_id: ['crm-1', null],
        uuid,
      },
      actor: channel,
    },
  ]);
});

test("a record is found by its uuid, and a profile's page by the profile's uuid", async () => {
  const { profile } = await partner.client('ann');
  const other = await partner.client('bob');
  await put(profile, { name: 'Ann' });
  const { body: all } = await audit();
  const own = all.results.filter((record: { profile: Told }) => record.profile.uuid === profile);
  assert.equal(own.length, 2);
  assert.deepEqual((await audit(`${own[0].uuid}/`)).body, own[0]);
  assert.deepEqual((await audit(`${profile}/`)).body, { count: 2, next: null, previous: null, results: own });
  assert.deepEqual((await audit(`?profile=${profile.toUpperCase()}`)).body.results, own);
  assert.deepEqual((await told(`${other.profile}/`)).length, 1);
  const { body: second } = await audit(`${profile}/?limit=1&offset=1`);
  assert.deepEqual(second.results, [own[1]]);
  assert.equal(second.previous, `https://patchbay.test/api/partners/profiles/audit/${profile}/?limit=1`);
});

test('a profile from before the audit has an empty page, and a merged profile keeps its page', async () => {
  const old = await seedProfile(context.sql, partner.projectId);
  assert.deepEqual(await told(`${old}/`), []);
  await partner.client('ann-at-work', { phone: '+12015550123' });
  const { profile } = await partner.client('ann');
  await writes('ann', { phone: '+12015550123' });
  assert.deepEqual(
    (await told(`${profile}/`)).map(({ action }) => action),
    ['deleted', 'created'],
  );
});

test('an unknown, malformed or foreign uuid is not found', async () => {
  const { profile } = await partner.client('ann');
  const { body } = await audit();
  const stranger = await createPartner({ after }, patchbay);
  for (const path of [`${unknown}/`, 'x/']) assert.equal((await audit(path)).status, 404);
  for (const path of [`${profile}/`, `${body.results[0].uuid}/`]) {
    const { status, body: answer } = await audit(path, stranger.key);
    assert.deepEqual([status, answer], [404, { detail: 'Not found.' }]);
  }
  assert.equal((await audit('', stranger.key)).body.count, 0);
  assert.deepEqual((await audit(`?profile=${profile}`, stranger.key)).body.results, []);
});

test('a filter that is no uuid is refused', async () => {
  const { status, body } = await audit('?profile=x');
  assert.deepEqual([status, body], [400, { profile: ['Must be a valid UUID.'] }]);
});

test('the newest record comes first, even within one millisecond', async () => {
  const { profile } = await partner.client('ann');
  for (const name of ['1', '2', '3', '4']) await put(profile, { name });
  const names = (await told()).map(({ changes }) => Object(changes).name?.[1]);
  assert.deepEqual(names, ['4', '3', '2', '1', 'ann']);
});
