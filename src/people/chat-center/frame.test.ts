import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { connectLive } from '../../../test/live-chats.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, address } = patchbay;
const partner = await createPartner({ after }, patchbay);

/** The browser that opened a partner's link. */
async function openFrame(body: object) {
  const link = await call('POST', '/api/partners/iframe/', { headers: partner.token, body });
  const page = await call('GET', String(link.body.url).replace('https://patchbay.test', ''));
  const [cookie = ''] = page.headers.getSetCookie()[0]?.split(';') ?? [];
  const session = page.headers.get('content-location')?.split('/').at(-2) ?? '';
  assert.match(String(page.body), new RegExp(`data-frame="${session}"`));
  const headers: Record<string, string> = { cookie, 'patchbay-frame': session };
  const ask = (method: string, path: string, given?: unknown, more = {}) =>
    call(method, `/chat-center/api/${path}`, {
      headers: { ...headers, ...more },
      ...(given !== undefined && { body: given }),
    });
  return { headers, ask };
}

const ann = await partner.client('Ann');
const bob = await partner.client('Bob');
const operator = { email: 'anna@crm.test' };

test('a frame for all clients works as the operator of its link', async () => {
  const { ask } = await openFrame({ operator });
  const { body: account } = await ask('GET', 'account/');
  assert.deepEqual([account.operator.name, account.is_frame, account.profile], ['anna', true, null]);
  assert.equal((await ask('GET', 'chats/')).body.results.length, 2);
  const taken = await ask('POST', `chats/${bob.chat}/take/`);
  assert.equal(taken.body.session.operator.name, 'anna');
});

test('a frame for one client shows and does nothing else', async (t) => {
  const frame = await openFrame({ operator, profile: { uuid: ann.profile } });
  const { ask } = frame;
  assert.deepEqual((await ask('GET', 'account/')).body.profile, { uuid: ann.profile, name: 'Ann' });
  for (const list of ['all', 'waiting']) {
    const { body } = await ask('GET', `chats/?list=${list}`);
    assert.deepEqual(
      body.results.map(({ uuid }: { uuid: string }) => uuid),
      [ann.chat],
    );
  }
  assert.deepEqual((await ask('GET', 'chats/?list=mine')).body.results, []);
  assert.deepEqual((await ask('GET', 'chats/?search=bob')).body.results, []);
  assert.deepEqual((await ask('GET', 'counts/')).body, { mine: 0, mine_unread: 0, waiting: 1, unread: 1 });
  const live = await connectLive(t, address, frame.headers);
  for (const [method, path, body] of [
    ['GET', ''],
    ['GET', 'messages/'],
    ['GET', 'profile/'],
    ['POST', 'take/'],
    ['POST', 'messages/', { id: randomUUID(), type: 'text', text: 'Hi' }],
    ['POST', 'close/', {}],
  ] as const) {
    assert.equal((await ask(method, `chats/${bob.chat}/${path}`, body)).status, 404, path);
  }
  assert.equal((await ask('POST', 'quick-answers/', { title: 'a', text: 'b' })).status, 403);
  assert.equal((await ask('POST', 'quick-answers/', {})).status, 403);

  const everybody = await openFrame({ operator });
  await everybody.ask('POST', `chats/${bob.chat}/notes/`, { id: randomUUID(), text: 'Of Bob' });
  await ask('POST', `chats/${ann.chat}/notes/`, { id: randomUUID(), text: 'Of Ann' });
  const told = await live.until('entry');
  assert.deepEqual([told.chat, told.entry.note?.text], [ann.chat, 'Of Ann']);
});

test('a frame’s session is useless without its cookie, its header or its own page', async () => {
  const { ask, headers } = await openFrame({ operator });
  assert.equal((await ask('GET', 'chats/', undefined, { cookie: '' })).status, 401);
  assert.equal((await ask('GET', 'chats/', undefined, { 'patchbay-frame': randomUUID() })).status, 401);
  assert.equal((await ask('GET', 'chats/', undefined, { 'patchbay-frame': 'x' })).status, 401);
  assert.equal((await ask('GET', 'chats/', undefined, { 'sec-fetch-site': 'cross-site' })).status, 403);
  const { cookie = '' } = headers;
  assert.equal((await call('GET', '/chat-center/api/chats/', { headers: { cookie } })).status, 401);
});
