import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startConversation } from '../../../../test/conversation.ts';
import { startInstagram } from '../../../simulator/instagram/provider.ts';

const account = {
  id: '17841405309211844',
  token: 'IGAA-token',
  app_secret: 'app-secret',
  verify_token: 'verify-me',
};
const { token: access_token, app_secret, verify_token } = account;
const meta = await startInstagram({ after }, account);
const { add, chatOf, answer, reaches } = await startConversation({ after });
const { address } = await add({
  platform: 'Instagram',
  settings: { access_token, app_secret, verify_token, api_root: meta.root },
});
const client = '1254459154682919';
const from = { sender: { id: client }, recipient: { id: account.id }, timestamp: 1_569_262_485_349 };

test('the address is verified, a client writes, and the answer is read', async () => {
  assert.deepEqual(await meta.verify(address), { status: 200, text: '1158201444' });
  assert.equal(
    (await meta.notify(address, [{ ...from, message: { mid: 'aWdf', text: 'Привет' } }])).status,
    200,
  );
  meta.people.set(client, 'open');
  const uuid = await answer(await chatOf(client), { type: 'TEXT', text: 'Hello' });
  await reaches(uuid, 'SENT');
  await meta.notify(address, [{ ...from, read: { mid: meta.sent[0]?.mid } }]);
  await reaches(uuid, 'READ');
});
