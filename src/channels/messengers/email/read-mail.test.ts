import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letter } from '../../../simulator/email/letters.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { readMail, unreadable } from './read-mail.ts';

const settings = {
  from: 'help@shop.example',
  smtp_url: 'smtp://127.0.0.1',
  form_senders: 'form@shop.example',
};
const read = (source: string, ms?: number) =>
  readMail({ source: Buffer.from(source), fallbackId: '1:7' }, settings, ms);

const messagesIn = (events: InboundEvent[]) =>
  events.map((event) => {
    assert.ok(event.kind === 'message');
    return event.message;
  });

/** Minutes of work, written by anybody. */
const costly = [
  'From: Ann Lee <ann@client.example>',
  'Subject: My order',
  'Message-ID: <q1@client.example>',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<a href="'.repeat(200_000),
].join('\r\n');

test('a mail that takes too long is a message with its subject, and the program continues meanwhile', async () => {
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 1);
  const [event, ...others] = await read(costly, 1_000);
  clearInterval(turn);
  assert.ok(turns > 10, `${turns} turns of the event loop`);
  assert.ok(event?.kind === 'message');
  assert.equal(event.chat.externalId, 'ann@client.example');
  assert.equal(event.message.externalId, '<q1@client.example>');
  assert.equal(event.message.text, `My order\n\n${unreadable}`);
  assert.equal(others.length, 0);
});

/** Every header line that the reader looks at, as long as a head may be. */
const heads = [
  'To',
  'Delivered-To',
  'From',
  'Reply-To',
  'Subject',
  'Message-ID',
  'References',
  'Auto-Submitted',
];

test('the head of a mail that takes too long holds up the program as little as its text', async () => {
  const [head, body] = costly.split('\r\n\r\n');
  for (const name of heads) {
    const before = process.threadCpuUsage().user;
    await read(`${name}: ${'a'.repeat(60_000)}\r\n${head}\r\n\r\n${body}`, 500);
    const spentMs = (process.threadCpuUsage().user - before) / 1000;
    assert.ok(spentMs < 1_000, `${name}: ${spentMs.toFixed(0)} ms in this thread`);
  }
});

test('a mail with a line of a megabyte is read in its time', async () => {
  const to = 'a'.repeat(1_000_000);
  const [event] = await read(`From: ann@client.example\r\nTo: ${to}\r\n\r\nhello`);
  assert.equal(event?.kind === 'message' && event.message.text, 'hello');
});

test('a large mail is read like a small one, with its files', async () => {
  const part = (type: string, content: string) => `---\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
  const parts = [part('text/plain', 'hello'), part('image/png; name=a.png', 'x'.repeat(20_000))];
  const source = `From: ann@client.example\r\nContent-Type: multipart/mixed; boundary=-\r\n\r\n${parts.join('')}-----\r\n`;
  const [text, file] = messagesIn(await read(source));
  assert.equal(text?.text, 'hello');
  assert.ok(file?.file && 'bytes' in file.file && Buffer.isBuffer(file.file.bytes));
  assert.equal(file.file.bytes.toString().trim().length, 20_000);
});

test('of very many files of one mail a hundred are kept', async () => {
  const parts = '---\r\nContent-Type: image/png\r\n\r\nx\r\n'.repeat(1_000);
  const events = await read(
    `From: ann@client.example\r\nContent-Type: multipart/mixed; boundary=-\r\n\r\n${parts}-----\r\n`,
  );
  assert.equal(events.length, 100);
});

test('a sender whose address is too long to be answered is ignored', async () => {
  const long = `${'x'.repeat(300)}@client.example`;
  assert.deepEqual(await read(letter({ from: long })), []);
  const [event] = await read(letter({ from: 'form@shop.example', headers: [`Reply-To: ${long}`] }));
  assert.equal(event?.kind === 'message' && event.chat.externalId, 'form@shop.example');
});
