import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testOutbound } from '../../../../test/outbound.ts';
import { noPostfix, startPostfix } from '../../../../test/stand-ins/postfix.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { readMail } from './read-mail.ts';
import { send } from './send.ts';

const options = { skip: noPostfix };
const uuid = '01990000-0000-7000-8000-000000000001';

async function scene(t: TestContext) {
  const postfix = await startPostfix(t);
  const settings = { from: 'help@shop.example', smtp_url: `smtp://127.0.0.1:${postfix.port}` };
  const { signal: deadline } = new AbortController();
  const sendTo = (externalId: string) => {
    const message: OutgoingMessage = {
      uuid,
      type: 'text',
      text: 'Your order is here.\n.\nA dot stood alone.',
      url: null,
      buttons: [],
      chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId },
    };
    return send(message, settings, testOutbound(t), { now: new Date(), deadline });
  };
  const heard = async () =>
    readMail({ source: await postfix.letterOf('help'), fallbackId: 'report' }, settings);
  return { postfix, sendTo, heard };
}

const sent = { sent: true, providerId: `<${uuid}@shop.example>` };

test('Postfix delivers our mail whole, and its report says so', options, async (t) => {
  const { postfix, sendTo, heard } = await scene(t);
  assert.deepEqual(await sendTo('ann@client.example'), sent);
  const letter = (await postfix.letterOf('ann')).toString();
  assert.match(letter, /^Message-ID: <01990000-0000-7000-8000-000000000001@shop\.example>$/im);
  assert.match(letter, /A dot stood alone\./);
  assert.deepEqual(await heard(), [{ kind: 'receipt', message: { uuid }, state: 'delivered', detail: '' }]);
});

test('Postfix refuses an unknown mailbox, and the refusal has its words', options, async (t) => {
  const { sendTo } = await scene(t);
  const result = await sendTo('nobody@client.example');
  assert.ok(!result.sent);
  assert.equal(result.error.code, 'invalid_recipient');
  assert.match(result.error.detail ?? '', /User unknown/);
});

test('what Postfix returns later makes the message undelivered, with the reason', options, async (t) => {
  const { sendTo, heard } = await scene(t);
  assert.deepEqual(await sendTo('ann@gone.example'), sent);
  const [event, ...others] = await heard();
  assert.deepEqual(others, []);
  assert.ok(event?.kind === 'receipt' && 'message' in event);
  assert.deepEqual([event.message, event.state], [{ uuid }, 'undelivered']);
  assert.match(event.detail, /there is no such mailbox/);
});
