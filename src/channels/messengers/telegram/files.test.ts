import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testOutbound } from '../../../../test/outbound.ts';
import { type ApiAnswer, startHttpApi } from '../../../simulator/http-api.ts';
import { startTelegram } from '../../../simulator/telegram/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { callBot } from './bot-api.ts';
import { send } from './send.ts';

const bot_token = '123456:AAE-secret_token';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MIB = 1024 * 1024;

const message = {
  uuid: '01990000-0000-7000-8000-000000000001',
  text: 'Look:\n"this"',
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
};

/** A bot, and a shop with a file. */
async function setUp(t: TestContext, file: ApiAnswer) {
  const bot = await startTelegram(t);
  const shop = await startHttpApi(t, () => file);
  const http = testOutbound(t);
  const settings = { bot_token, api_root: bot.root };
  const end = new AbortController();
  const sendAt = (url: string, changes: Partial<OutgoingMessage> & Pick<OutgoingMessage, 'type'>) =>
    send({ ...message, url, ...changes }, settings, http, { deadline: end.signal });
  return { bot, shop, http, settings, end, sendAt };
}

const found = (bytes: Buffer, type: string): ApiAnswer => ({
  status: 200,
  body: bytes,
  headers: { 'content-type': type },
});

test('a document of any type is uploaded with its name, its caption and its buttons', async (t) => {
  const bytes = Buffer.from('PK\r\n\r\n--\r\n\0\xff', 'latin1');
  const { bot, shop, sendAt } = await setUp(t, found(bytes, docx));
  const buttons = [{ text: 'Да', payload: 'yes:1' }];
  const url = `${shop.root}/${encodeURIComponent('Прайс "2".docx')}`;
  assert.deepEqual(await sendAt(url, { type: 'document', buttons }), { sent: true, providerId: '777:1' });
  assert.deepEqual(bot.calls, [
    {
      token: bot_token,
      method: 'sendDocument',
      parameters: {
        chat_id: '777',
        reply_markup: { inline_keyboard: [[{ text: 'Да', callback_data: 'yes:1' }]] },
        caption: 'Look:\n"this"',
        document: { name: 'Прайс %222%22.docx', type: docx, bytes },
      },
    },
  ]);
});

test('a document without words has no caption and no buttons', async (t) => {
  const { bot, shop, sendAt } = await setUp(t, found(Buffer.from('a'), 'text/plain'));
  await sendAt(`${shop.root}/a.txt`, { type: 'document', text: null });
  assert.deepEqual(Object.keys(bot.calls[0]?.parameters), ['chat_id', 'document']);
});

test('a picture of up to 10 MiB is a photo, and a larger one a document with all its bytes', async (t) => {
  for (const [size, method] of [
    [7 * MIB, 'sendPhoto'],
    [10 * MIB, 'sendPhoto'],
    [10 * MIB + 1, 'sendDocument'],
  ] as const) {
    const bytes = Buffer.alloc(size, '\r\n--');
    const { bot, shop, sendAt } = await setUp(t, found(bytes, 'image/png'));
    assert.partialDeepStrictEqual(await sendAt(`${shop.root}/a.png`, { type: 'image' }), { sent: true });
    const { method: used, parameters } = bot.calls[0] ?? {};
    const sent = parameters.photo ?? parameters.document;
    assert.deepEqual([used, sent.name, sent.type], [method, 'a.png', 'image/png']);
    assert.ok(bytes.equals(sent.bytes));
  }
});

test('a file that cannot be fetched fails with its reason, and nothing is sent', async (t) => {
  const reasons: [file: ApiAnswer, error: object][] = [
    [{ status: 404 }, { code: 'bad_content', detail: 'The address of the file answered 404.' }],
    [
      { status: 503 },
      { code: 'temporary', mayHaveBeenSent: false, detail: 'The address of the file answered 503.' },
    ],
    ['close', { code: 'temporary', mayHaveBeenSent: false }],
    [
      found(Buffer.alloc(20 * MIB + 1), docx),
      { code: 'bad_content', detail: 'The file is larger than 20 MiB.' },
    ],
  ];
  for (const [file, error] of reasons) {
    const { bot, shop, sendAt } = await setUp(t, file);
    const result = await sendAt(`${shop.root}/a.docx`, { type: 'document' });
    assert.partialDeepStrictEqual(result, { sent: false, error });
    assert.deepEqual(bot.calls, []);
  }
});

test('a file at an address that may not be called fails alone, and the channel goes on', async (t) => {
  const { bot, sendAt } = await setUp(t, { status: 200 });
  const result = await sendAt('http://10.0.0.1/a.docx', { type: 'document' });
  assert.partialDeepStrictEqual(result, { sent: false, error: { code: 'bad_content' } });
  assert.deepEqual(bot.calls, []);
});

test('the deadline ends the fetching of a file, and then nothing was sent', async (t) => {
  const { bot, shop, end, sendAt } = await setUp(t, 'hang');
  const sending = sendAt(`${shop.root}/a.docx`, { type: 'document' });
  await shop.called(() => true);
  end.abort();
  assert.partialDeepStrictEqual(await sending, { error: { code: 'temporary', mayHaveBeenSent: false } });
  assert.deepEqual(bot.calls, []);
});

test('the deadline ends an upload, and then the message may have been sent', async (t) => {
  const { bot, shop, end, sendAt } = await setUp(t, found(Buffer.from('bytes'), docx));
  bot.react(() => 'hang');
  const sending = sendAt(`${shop.root}/a.docx`, { type: 'document' });
  await bot.called(() => true);
  end.abort();
  assert.partialDeepStrictEqual(await sending, { error: { code: 'temporary', mayHaveBeenSent: true } });
});

test('by its address our Telegram, too, takes only GIF, PDF and ZIP as a document', async (t) => {
  const { http, settings } = await setUp(t, { status: 200 });
  const answerTo = async (name: string): Promise<boolean> => {
    const parameters = { chat_id: 777, document: `https://shop.example/${name}` };
    return (await callBot(settings, http, { method: 'sendDocument', parameters })).ok;
  };
  const names = ['a.pdf', 'a.gif', 'a.zip', 'a.docx', 'a'];
  assert.deepEqual(await Promise.all(names.map(answerTo)), [true, true, true, false, false]);
});
