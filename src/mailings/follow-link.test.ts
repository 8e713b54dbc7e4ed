import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { startPatchbay } from '../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../test/mailing.ts';
import { seedChannel, seedChat, seedProfile, seedProject } from '../../test/seed.ts';
import { wakes } from '../../test/waiting.ts';
import { linkTokens } from './link-token.ts';
import { markJumped } from './links-store.ts';

const { call, context } = await startPatchbay(
  { after },
  { clock: manualClock(), config: { roles: ['api'] } },
);
const { sql } = context;
const tokens = linkTokens(context.config.secretKey);

/** A message of a mailing with this text, in the form in which it was sent. */
async function message(text: string, { tracked = true, variables = {} } = {}) {
  const projectId = await seedProject(sql);
  const profileId = await seedProfile(sql, projectId, { external_id: 'a/b?c' });
  const chat = await seedChat(sql, projectId, { channelId: await seedChannel(sql, projectId), profileId });
  const mailing = await seedMailing(sql, projectId, { text, tracked });
  const [messageId = ''] = await seedMailingMessages(sql, projectId, mailing, [
    { chat, content: { variables } },
  ]);
  const follow = (index: number, headers = {}, method = 'GET') =>
    call(method, `/l/${tokens.make({ projectId, messageId, index })}/`, { headers });
  const jumped = async () => {
    const [row] = await sql<{ count: number }[]>`
      select sum(jumped_url)::int as count from mailing_counts where mailing_id = ${mailing}`;
    return row?.count;
  };
  return { projectId, messageId, follow, jumped };
}

test('each link redirects to its own address, and to no other', async () => {
  const { projectId, messageId, follow, jumped } = await message('https://a.test/x?y=1 or http://b.test');
  const first = await follow(0);
  assert.deepEqual(
    [first.status, first.headers.get('location'), first.headers.get('cache-control')],
    [302, 'https://a.test/x?y=1', 'no-store'],
  );
  assert.equal((await follow(1)).headers.get('location'), 'http://b.test/');
  assert.equal((await follow(2)).status, 404);
  const token = tokens.make({ projectId, messageId, index: 0 });
  assert.equal(
    (await call('GET', `/l/${token}?url=https://evil.test`)).headers.get('location'),
    'https://a.test/x?y=1',
  );
  assert.equal(await jumped(), 1);
});

test('a forged token, or a token for a missing message, is not found', async () => {
  const { projectId, messageId } = await message('https://a.test');
  const other = linkTokens('another key of at least 32 characters').make({ projectId, messageId, index: 0 });
  const gone = tokens.make({ projectId: messageId, messageId, index: 0 });
  for (const token of [other, gone, 'nonsense', 'A'.repeat(56)]) {
    const { status, body } = await call('GET', `/l/${token}/`);
    assert.deepEqual([status, body], [404, { detail: 'Not found.' }]);
  }
});

test('links of a mailing without tracking cannot be followed', async () => {
  const { follow } = await message('https://a.test', { tracked: false });
  assert.equal((await follow(0)).status, 404);
});

test('a visit is announced at once, and counts once, even if two requests race', async () => {
  const { projectId, messageId, follow, jumped } = await message('https://a.test/x');
  assert.equal(await wakes(context.wake, 'webhooks', () => follow(0)), true);
  assert.equal(await wakes(context.wake, 'webhooks', () => follow(0)), false);
  await markJumped(sql, { projectId, messageId, index: 0 }, {}, context.clock.now());
  assert.equal(await jumped(), 1);
});

test('a link is filled in with the recipient’s values, and stays on its host', async () => {
  const text = 'https://a.test/{{order}}?id={{profile.external_id}}&x={{unknown}}';
  const { follow } = await message(text, { variables: { order: '//evil.test' } });
  assert.equal((await follow(0)).headers.get('location'), 'https://a.test/%2F%2Fevil.test?id=a%2Fb%3Fc&x=');
});

test('only a person’s first visit counts, however many come at once', async () => {
  const { follow, jumped } = await message('https://a.test https://b.test');
  assert.equal((await follow(0, {}, 'HEAD')).status, 302);
  for (const previewer of ['TelegramBot (like TwitterBot)', 'WhatsApp/2.23', 'facebookexternalhit/1.1']) {
    assert.equal((await follow(0, { 'user-agent': previewer })).status, 302);
  }
  assert.equal(await jumped(), 0);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => follow(index % 2)));
  assert.ok(answers.every(({ status }) => status === 302));
  assert.equal(await jumped(), 1);
});

test('a browser that loads the link ahead is refused, and counts at the person’s click', async () => {
  const { follow, jumped } = await message('https://a.test');
  for (const headers of [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ]) {
    const { status, headers: answered } = await follow(0, headers);
    assert.deepEqual(
      [status, answered.get('location'), answered.get('cache-control')],
      [503, null, 'no-store'],
    );
  }
  assert.equal(await jumped(), 0);
  assert.equal((await follow(0, { 'sec-purpose': '' })).status, 302);
  assert.equal(await jumped(), 1);
});
