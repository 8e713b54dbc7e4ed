import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../clock.ts';
import { createPartner, startPatchbay } from '../harness.ts';
import { seedProfile } from '../seed.ts';

/** Small answers that an integrator stumbled over. Source: docs/contract.md, sections 1, 5, 7, 8. */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context, address } = patchbay;
const { projectId, key, token } = await createPartner({ after }, patchbay);
const post = (path: string, body: object) => call('POST', `/api/partners/${path}`, { headers: key, body });

test('an empty address may not be blank, and one with a name and a password is refused explicitly', async () => {
  const set = async (webhook_url: string) => {
    const { status, body } = await call('PUT', '/api/partners/integrations/credentials/', {
      headers: token,
      body: { webhook_url },
    });
    return [status, body];
  };
  const refusal = (text: string) => [400, { webhook_url: [text] }];
  assert.deepEqual(await set(''), refusal('This field may not be blank.'));
  const userinfo = 'The address may not contain a user name or a password.';
  assert.deepEqual(await set('https://user:secret@crm.example/hook'), refusal(userinfo));
  assert.deepEqual(await set('crm.example/hook'), refusal('Enter a valid URL.'));
  const mailing = { name: 'Sale', text: 'Hi', customer_filter_field: 'UUID' };
  for (const [customer_filter_file, text] of [
    ['', 'This field may not be blank.'],
    ['https://user@files.example/a.csv', userinfo],
  ] as const) {
    const { status, body } = await post('mailings/', { ...mailing, customer_filter_file });
    assert.deepEqual([status, body], [400, { customer_filter_file: [text] }]);
  }
});

test('of two unique fields in use both are named, and of one that one', async () => {
  await seedProfile(context.sql, projectId, { external_id: 'taken', phone_number: '+12025550123' });
  const uuid = await seedProfile(context.sql, projectId, { external_id: 'own' });
  const put = async (body: object) => {
    const answer = await call('PUT', `/api/partners/profiles/${uuid}/`, { headers: key, body });
    return [answer.status, answer.body];
  };
  const unique = ['This field must be unique.'];
  assert.deepEqual(await put({ external_id: 'taken', phone_number: '+12025550123' }), [
    400,
    { external_id: unique, phone_number: unique },
  ]);
  assert.deepEqual(await put({ external_id: 'own', phone_number: '+12025550123' }), [
    400,
    { phone_number: unique },
  ]);
  assert.deepEqual(await put({ external_id: 'taken', phone_number: '+12025550124' }), [
    400,
    { external_id: unique },
  ]);
});

test('a preflight allows the headers that libraries add', async () => {
  const { status, headers } = await fetch(`${address}/api/partners/push-messages/`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://crm.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'bot-key, x-requested-with',
    },
  });
  assert.equal(status, 204);
  assert.match(headers.get('access-control-allow-headers') ?? '', /x-requested-with/);
});

test('promo codes are filtered by their group and their status', async () => {
  const [{ body: spring }, { body: autumn }] = [
    await post('promocode-groups/', { name: 'Spring' }),
    await post('promocode-groups/', { name: 'Autumn' }),
  ];
  const codes: string[] = [];
  for (const [code, group] of [
    ['A', spring.uuid],
    ['B', spring.uuid],
    ['C', autumn.uuid],
  ]) {
    codes.push((await post('promocodes/', { code, group })).body.uuid);
  }
  await call('PATCH', `/api/partners/promocodes/${codes[1]}/`, { headers: key, body: { status: 'ISSUED' } });
  const list = async (query: string) => {
    const { status, body } = await call('GET', `/api/partners/promocodes/?${query}`, { headers: key });
    return status === 200 ? [body.count, ...body.results.map(({ code }: { code: string }) => code)] : body;
  };
  assert.deepEqual(await list(`group=${spring.uuid}`), [2, 'B', 'A']);
  assert.deepEqual(await list('status=AVAILABLE'), [2, 'C', 'A']);
  assert.deepEqual(await list(`group=${spring.uuid}&status=ISSUED`), [1, 'B']);
  assert.deepEqual(await list(''), [3, 'C', 'B', 'A']);
  const { body } = await call('GET', `/api/partners/promocodes/?group=${spring.uuid}&limit=1`, {
    headers: key,
  });
  assert.match(body.next, new RegExp(`group=${spring.uuid}`));
  assert.deepEqual(await list('status=USED'), { status: ['"USED" is not a valid choice.'] });
  assert.deepEqual(await list('group=018f0000-0000-7000-8000-000000000000'), [0]);
});

test('a mailing with a schedule shows its next run', async () => {
  const filter_chats = { all: [] };
  const made = async (more: object) => (await post('mailings/', { name: 'Sale', text: 'Hi', ...more })).body;
  assert.equal(
    (await made({ regular_cron: '30 9 * * MON', filter_chats })).next_run_at,
    '2026-11-23T09:30:00.000Z',
  );
  assert.equal(
    (await made({ planned_at: '2099-01-01T00:00:00Z', filter_chats })).next_run_at,
    '2099-01-01T00:00:00.000Z',
  );
  assert.equal((await made({ regular_cron: '30 9 * * MON' })).next_run_at, null);
});
