import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import {
  addWidget,
  browserWith,
  hashOf,
  identitySecret,
  openBrowser,
  startWidgetServer,
} from '../../../test/widget-harness.ts';
import { addChannel, changeChannel, loadChannel } from '../../channels/connected/channels.ts';
import { expiringHash } from './rules.ts';

const { sql } = await testDatabase({ after });
const server = await startWidgetServer({ after }, sql);

const open = (
  channelId: string,
  body: unknown = {},
  headers: Record<string, string> = { origin: 'https://shop.test' },
) => server.call('POST', `/widget/${channelId}/sessions/`, { body, headers });

const day = 24 * 60 * 60 * 1000;
const echo = '3f2b8c1e-0000-4000-a000-0123456789ab';

test('a session stores nothing before its visitor writes', async () => {
  const { id, projectId } = await addWidget(server);
  await openBrowser(server, id);
  assert.equal((await sql`select from chats where project_id = ${projectId}`).length, 0);
});

test('two anonymous visitors have two chats, one user has one chat in every browser', async () => {
  const { id, projectId } = await addWidget(server);
  const browsers = [
    await openBrowser(server, id),
    await openBrowser(server, id),
    await openBrowser(server, id, { id: 'ann', name: 'Ann' }),
    await openBrowser(server, id, { id: 'ann', name: 'Ann' }),
  ];
  for (const [index, browser] of browsers.entries()) {
    assert.equal((await browser.write(echo.replace('3f', `0${index}`), 'hello')).status, 201);
  }
  const chats =
    await sql`select external_id, name from chats where project_id = ${projectId} order by external_id`;
  assert.deepEqual(
    chats.map(({ external_id, name }) => [external_id.split(':')[0], name]),
    [
      ['user', 'Ann'],
      ['visitor', null],
      ['visitor', null],
    ],
  );
});

test('a visitor cannot become another user without the hash that the page computes', async () => {
  const { id } = await addWidget(server);
  for (const hash of [hashOf('bob'), '0'.repeat(64)]) {
    const refused = await open(id, { user: { id: 'ann', hash } });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body, { user: ['The hash does not prove this identity.'] });
  }
  assert.equal((await open(id, { user: { id: 'ann', hash: hashOf('ann') } })).status, 201);
});

test('a channel without an identity secret has anonymous visitors only', async () => {
  const { id } = await addWidget(server, {});
  assert.equal((await open(id, { user: { id: 'ann', hash: hashOf('ann') } })).status, 400);
  assert.equal((await open(id)).status, 201);
});

test('only a page on the list may show the widget', async () => {
  const { id } = await addWidget(server, { allowed_origins: 'https://shop.test' });
  assert.equal((await open(id)).status, 201);
  assert.equal((await open(id, {}, { origin: 'https://evil.test' })).status, 403);
  assert.equal((await open(id, {}, {})).status, 403);
});

test('a session is useless on another page', async () => {
  const { id } = await addWidget(server, { allowed_origins: 'https://shop.test' });
  const { session } = await openBrowser(server, id);
  const headers = { authorization: `Bearer ${session}`, origin: 'https://evil.test' };
  for (const [method, path, body] of [
    ['GET', 'messages/', undefined],
    ['GET', 'live/', undefined],
    ['POST', 'messages/', { echo_id: echo, text: 'hello' }],
    ['POST', 'receipts/', { state: 'read', messages: [echo] }],
  ] as const) {
    assert.equal((await server.call(method, `/widget/${id}/${path}`, { headers, body })).status, 403, path);
  }
});

test('a preflight request answers whether the origin is allowed', async () => {
  const { id } = await addWidget(server);
  const { status, headers } = await server.call('OPTIONS', `/widget/${id}/messages/`, {
    headers: { origin: 'https://shop.test', 'access-control-request-method': 'POST' },
  });
  assert.equal(status, 204);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.match(headers.get('access-control-allow-headers') ?? '', /authorization/);
  assert.match(headers.get('access-control-allow-methods') ?? '', /POST/);
});

test('a session is valid for its own channel, for a year, and unaltered', async () => {
  const { id } = await addWidget(server);
  const other = await addWidget(server);
  const { session } = await openBrowser(server, id);
  const statusWith = async (token: string, channelId = id) =>
    (await browserWith(server, channelId, token).get('messages/')).status;

  assert.equal(await statusWith(session), 200);
  assert.equal(await statusWith(session, other.id), 404);
  const signature = session.slice(-10);
  const altered = signature.startsWith('x') ? 'y' : 'x';
  assert.equal(await statusWith(session.slice(0, -10) + altered + signature.slice(1)), 401);
  assert.equal(await statusWith('x'), 401);
  server.clock.advance(364 * day);
  assert.equal(await statusWith(session), 200);
  server.clock.advance(day);
  assert.equal(await statusWith(session), 401);
});

test('a channel of another platform, or an unknown one, is no widget', async () => {
  const { projectId } = await addWidget(server);
  const other = await addChannel(server.context, {
    projectId,
    platform: 'API_Messenger',
    name: 'Messenger',
    settings: { webhook_url: 'https://messenger.test/', secret: 'a secret of 24 characters' },
  });
  for (const id of [other.id, server.context.newId(), 'nonsense']) {
    assert.equal((await open(id)).status, 404, id);
  }
});

test("a new key ends the sessions that the old one signed, live ones too, and no anonymous visitor's", async () => {
  const { id } = await addWidget(server);
  const ann = await openBrowser(server, id, { id: 'ann' });
  const stranger = await openBrowser(server, id);
  const live = ann.live();
  const ended = live.next();
  assert.equal((await ann.get('messages/')).status, 200);

  const channel = await loadChannel(server.context, id);
  assert.ok(channel);
  await changeChannel(server.context, channel, {
    settings: { identity_secret: 'another secret of identities' },
  });
  for (const refused of [await ann.get('messages/'), await ann.write(echo, 'hello')]) {
    assert.equal(refused.status, 401);
  }
  assert.equal((await ended).done, true);
  assert.equal((await stranger.get('messages/')).status, 200);

  const renewed = await loadChannel(server.context, id);
  assert.ok(renewed);
  await changeChannel(server.context, renewed, { settings: { identity_secret: null } });
  assert.equal((await ann.get('messages/')).status, 401);
});

test("a page may sign its user's identity with an expiry", async () => {
  const { id } = await addWidget(server);
  const exp = Math.floor(server.clock.now().getTime() / 1000) + 60;
  const user = { id: 'ann', exp, hash: expiringHash(identitySecret, 'ann', exp) };
  const { status, body } = await open(id, { user });
  assert.equal(status, 201);
  assert.equal((await open(id, { user: { ...user, exp: exp + 1 } })).status, 400);
  server.clock.advance(60_000);
  assert.equal((await open(id, { user })).status, 400);
  assert.equal((await browserWith(server, id, body.session).get('messages/')).status, 200);
});
