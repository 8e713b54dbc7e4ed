import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdMailbox, letterWithFile } from '../../../../test/hold-mailbox.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { noDovecot, startDovecot } from '../../../../test/stand-ins/dovecot.ts';
import { letter } from '../../../simulator/email/letters.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { open } from './mailbox.ts';

const options = { skip: noDovecot };
const mail = (text: string) => letter({ subject: '', text, messageId: `<${text}@client.example>` });
const settingsFor = (imap_url: string) => ({
  from: 'help@shop.example',
  smtp_url: 'smtp://127.0.0.1',
  imap_url,
});

test('Dovecot tells of new mails at once, in their order, and not of earlier ones', options, async (t) => {
  const dovecot = await startDovecot(t);
  dovecot.deliver(mail('old'));
  const held = holdMailbox(t, settingsFor(dovecot.url('secret')), null);
  await held.ready;
  for (const [index, text] of ['one', 'two', 'three'].entries()) {
    dovecot.deliver(mail(text));
    await held.heard(index + 1);
  }
  assert.deepEqual(held.texts(), ['one', 'two', 'three']);
});

test('a large mail of Dovecot is fetched in pieces, and its file is whole', options, async (t) => {
  const dovecot = await startDovecot(t);
  const held = holdMailbox(t, settingsFor(dovecot.url('secret')), null);
  await held.ready;
  const file = Array.from({ length: 200_000 }, (_, n) => String(n).padStart(15, '0')).join('\n');
  dovecot.deliver(letterWithFile(file));
  await held.heard(1);
  const [message] = held.messages();
  assert.ok(message?.file && 'bytes' in message.file);
  assert.equal(message.file.bytes.toString().replaceAll('\r', '').trimEnd(), file);
});

test('after a restart of Dovecot a new connection continues at the cursor', options, async (t) => {
  const dovecot = await startDovecot(t);
  const first = holdMailbox(t, settingsFor(dovecot.url('secret')), null);
  await first.ready;
  dovecot.deliver(mail('one'));
  await first.heard(1);
  const cursor = first.stored.at(-1);
  assert.ok(typeof cursor === 'string');
  await dovecot.stop();
  await assert.rejects(first.ended);
  dovecot.deliver(mail('two'));
  await dovecot.start();
  const second = holdMailbox(t, settingsFor(dovecot.url('secret')), cursor);
  await second.heard(1);
  assert.deepEqual(second.texts(), ['two']);
});

test('Dovecot’s refusal of a password is recognised', options, async (t) => {
  const dovecot = await startDovecot(t);
  const url = dovecot.url('wrong');
  await assert.rejects(
    open(url, settingsFor(url), { outbound: testOutbound(t), signal: new AbortController().signal }),
    (error) => error instanceof CredentialsRefused,
  );
});
