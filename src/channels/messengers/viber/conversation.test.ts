import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startConversation } from '../../../../test/conversation.ts';
import { startViber } from '../../../simulator/viber/provider.ts';

const auth_token = '4453b6ac12345678-e02c5f12174805f9';
const bot = await startViber({ after }, { auth_token });
const { add, chatOf, answer, reaches } = await startConversation({ after });
const { address } = await add({
  platform: 'Viber',
  settings: { auth_token, sender_name: 'Shop', api_root: bot.root },
});
const olga = { id: '01234567890A=', name: 'Olga' };

test('a client writes, and the answer gets its receipts', async () => {
  assert.equal(bot.webhook(), address);
  assert.deepEqual(await bot.say(olga, { type: 'text', text: 'Hi' }), { status: 200, text: '' });
  const uuid = await answer(await chatOf(olga.id), { type: 'TEXT', text: 'Hello' });
  await reaches(uuid, 'SENT');
  const told = { message_token: bot.sent[0]?.token, user_id: olga.id };
  await bot.happen({ event: 'delivered', ...told });
  await reaches(uuid, 'DELIVERED');
  await bot.happen({ event: 'seen', ...told });
  await reaches(uuid, 'READ');
});

test('a client who has unsubscribed gets nothing', async () => {
  const chat = await chatOf(olga.id);
  bot.people.set(olga.id, 'unsubscribed');
  await reaches(await answer(chat, { type: 'TEXT', text: 'Still there?' }), 'UNDELIVERED');
});
