import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startConversation } from '../../../../test/conversation.ts';
import { startFacebook } from '../../../simulator/facebook/provider.ts';

const page = {
  id: '102030405060708',
  token: 'EAAG-page-token',
  app_secret: 'app-secret',
  verify_token: 'verify-me',
};
const { token: page_access_token, app_secret, verify_token } = page;
const meta = await startFacebook({ after }, page);
const { add, chatOf, answer, reply, age, reaches } = await startConversation({ after });
const { address } = await add({
  platform: 'Facebook',
  settings: { page_access_token, app_secret, verify_token, api_root: meta.root },
});
const client = '6543210987654321';
const from = { sender: { id: client }, recipient: { id: page.id }, timestamp: 1_569_262_485_349 };

test('the address is verified, a client writes, and the answer gets its receipts', async () => {
  assert.deepEqual(await meta.verify(address), { status: 200, text: '1158201444' });
  assert.equal(
    (await meta.notify(address, [{ ...from, message: { mid: 'm_in', text: 'Привет' } }])).status,
    200,
  );
  meta.people.set(client, 'open');
  const uuid = await answer(await chatOf(client), { type: 'TEXT', text: 'Hello' });
  await reaches(uuid, 'SENT');
  const watermark = Date.now();
  await meta.notify(address, [{ ...from, delivery: { mids: [meta.sent[0]?.mid], watermark } }]);
  await reaches(uuid, 'DELIVERED');
  await meta.notify(address, [{ ...from, read: { watermark } }]);
  await reaches(uuid, 'READ');
});

test('a client who has read the answer before Meta has answered the call has read it', async () => {
  meta.react(async ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/me/messages')) {
      await meta.notify(address, [{ ...from, read: { watermark: Date.now() } }]);
    }
    return null;
  });
  await reaches(await answer(await chatOf(client), { type: 'TEXT', text: 'Quick' }), 'READ');
  meta.react(() => null);
});

test('after a day of silence the answer is refused, with the reason', async () => {
  meta.people.set(client, 'window_closed');
  const uuid = await answer(await chatOf(client), { type: 'TEXT', text: 'Still there?' });
  const { state_detail } = await reaches(uuid, 'UNDELIVERED');
  assert.match(state_detail, /outside of allowed window/);
});

test('after a day of silence an operator behind the connector reaches the client', async () => {
  const chat = await chatOf(client);
  await age(chat, 2 * 24 * 3_600_000);
  await reaches(await reply(chat, 'Sorry for the wait.'), 'SENT');
  assert.partialDeepStrictEqual(meta.sent.at(-1)?.body, {
    messaging_type: 'MESSAGE_TAG',
    tag: 'HUMAN_AGENT',
    message: { text: 'Sorry for the wait.' },
  });
});
