import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { startFileServer } from '../../../test/faults/file-server.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { planAll, problemsOf, recipientsOf } from '../../../test/planning-scene.ts';
import { seedChat, seedProfile } from '../../../test/seed.ts';

/** Source: docs/contract.md, section 1, "Phone numbers": a number is never changed into another. */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId, key, token, channel } = partner;
const { headers } = await signIn(context, { projectId });
let lines: string[] = [];
const url = await startFileServer({ after }, (_request, response) => response.end(lines.join('\n')));

const complaint = ['Enter a valid phone number.'];
const profile = await seedProfile(sql, projectId, { external_id: 'ann' });
const put = (phone_number: string) =>
  call('PUT', `/api/partners/profiles/${profile}/`, { headers: key, body: { phone_number } });

for (const [given, kept] of [
  ['+79161234567', '+79161234567'],
  ['79161234567', '+79161234567'],
  ['+7 (916) 123-45-67', '+79161234567'],
  ['7 916 123-45-67', '+79161234567'],
  ['+4951234567', '+4951234567'],
] as const) {
  test(`"${given}" is kept digit for digit`, async () => {
    const { status, body } = await put(given);
    assert.deepEqual([status, body.phone_number], [200, kept]);
  });
}

for (const wrong of [
  // National forms, each of which was once read as another person's number.
  '9161234567',
  '9101234567890',
  '89161234567',
  '8109012345678',
  '+8109012345678',
  '+44 (0)20 7946 0958',
  '+7 8 916 123 45 67',
  '+7.916.123.45.67',
  '+7916123456',
  'abc',
]) {
  test(`"${wrong}" is refused in every field for numbers, and changes nothing`, async () => {
    const push = { profile: { phone_number: wrong }, content: { type: 'TEXT', text: 'Hi' } };
    const event = {
      event: 'message_created',
      chat: { phone_number: wrong },
      sender: {},
      timestamp: clock.now().getTime(),
      message: { type: 'whatsapp_text', text: 'Hi' },
    };
    const incoming = {
      chat: { external_id: 'x', phone: wrong },
      message: { external_id: 'x', type: 'text', text: 'Hi' },
    };
    const filter_chats = { all: [{ type: 'profile_attribute', phone_number: wrong }] };
    const answers = [
      [await put(wrong), { phone_number: complaint }],
      [
        await call('POST', '/api/partners/push-messages/', { headers: key, body: push }),
        { profile: { phone_number: complaint } },
      ],
      [
        await call('POST', '/api/partners/stream/', {
          headers: token,
          body: { type: 'regular_message', payload: push },
        }),
        { payload: { profile: { phone_number: complaint } } },
      ],
      [
        await call('POST', '/api/partners/connector/', { headers: token, body: event }),
        { chat: { phone_number: complaint } },
      ],
      [
        await call('POST', '/api/partners/iframe/', {
          headers: token,
          body: { operator: { email: 'olga@shop.test' }, profile: { phone_number: wrong } },
        }),
        { profile: { phone_number: complaint } },
      ],
      [
        await call('GET', `/api/partners/profiles/?phone_number=${encodeURIComponent(wrong)}`, {
          headers: key,
        }),
        { phone_number: complaint },
      ],
      [
        await call('POST', '/api/partners/mailings/', {
          headers: key,
          body: { name: 'Sale', text: 'Hi', filter_chats },
        }),
        { filter_chats: [`all.0: ${complaint}`] },
      ],
      [
        await call('POST', `/channels/${channel.id}/messages/`, {
          headers: { authorization: `Bearer ${channel.secret}` },
          body: incoming,
        }),
        { chat: { phone: complaint } },
      ],
    ] as const;
    for (const [{ status, body }, expected] of answers) assert.deepEqual([status, body], [400, expected]);
    const there = await call('GET', `/api/partners/profiles/phone/${encodeURIComponent(wrong)}/`, {
      headers: key,
    });
    assert.equal(there.status, 404);
  });
}

const setCountry = (default_country: string | null) =>
  call('PATCH', '/console/api/settings/', { headers, body: { default_country } });

test('files and the console read national forms by a project’s default country, and the API does not', async () => {
  const boris = await seedProfile(sql, projectId, { phone_number: '+79169998877' });
  await seedChat(sql, projectId, { channelId: channel.id, profileId: boris });
  const mailing = { name: 'Sale', text: 'Hi', customer_filter_field: 'PHONE_NUMBER' };
  const forms = ['8 (916) 999-88-77', '9169998877', '+7 916 999-88-77'];
  const plannedFrom = async (api: '/api/partners/' | '/console/api/', audience: object) => {
    const made = await call('POST', `${api}mailings/`, {
      headers: api === '/console/api/' ? headers : key,
      body: { ...mailing, ...audience },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await planAll(context);
    return {
      recipients: await recipientsOf(context, made.body.uuid),
      problems: (await problemsOf(context, made.body.uuid)).length,
    };
  };
  const search = async () =>
    (await call('GET', '/console/api/profiles/?search=89169998877', { headers })).body.count;
  const edit = () =>
    call('PUT', `/console/api/profiles/${profile}/`, {
      headers,
      body: { phone_number: '8 916 123-45-67', seen: {} },
    });
  lines = ['phone_number', ...forms];

  assert.deepEqual(await plannedFrom('/api/partners/', { customer_filter_file: url }), {
    recipients: [boris],
    problems: 2,
  });
  assert.equal(await search(), 0);
  assert.deepEqual((await edit()).body, { phone_number: complaint });

  assert.equal((await setCountry('RU')).body.default_country, 'RU');
  assert.deepEqual(await plannedFrom('/api/partners/', { customer_filter_file: url }), {
    recipients: [boris],
    problems: 0,
  });
  assert.deepEqual(await plannedFrom('/console/api/', { customer_filter_array: forms }), {
    recipients: [boris],
    problems: 0,
  });
  const counted = await call('POST', '/console/api/mailings/audience/', {
    headers,
    body: { text: 'Hi', customer_filter_field: 'PHONE_NUMBER', customer_filter_array: forms.slice(0, 1) },
  });
  assert.equal(counted.body.count, 1);
  assert.equal(await search(), 1);
  assert.equal((await edit()).body.phone_number, '+79161234567');
  // A number with a country code stays unchanged.
  assert.equal((await put('+4951234567')).body.phone_number, '+4951234567');
  assert.equal((await put('8 916 123-45-67')).status, 400);
  assert.deepEqual(await plannedFrom('/api/partners/', { customer_filter_array: forms }), {
    recipients: [boris],
    problems: 2,
  });

  assert.equal((await setCountry(null)).body.default_country, null);
  assert.equal(await search(), 0);
  assert.deepEqual((await setCountry('XX')).body, { default_country: ['"XX" is not a valid choice.'] });
});
