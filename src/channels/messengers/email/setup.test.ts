import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testOutbound } from '../../../../test/outbound.ts';
import { Invalid } from '../../../platform/problem.ts';
import { startImap } from '../../../simulator/email/imap.ts';
import { startSmtp } from '../../../simulator/email/smtp.ts';
import { readSettings } from '../../connected/settings.ts';
import { readServer, settings as schema } from './settings.ts';
import { learn } from './setup.ts';

const account = { user: 'help', password: 'secret' };

test('both servers check the credentials, and their own words are shown', async (t) => {
  const http = testOutbound(t);
  const smtp = await startSmtp(t, account);
  const imap = await startImap(t, account);
  const settings = {
    from: 'help@shop.example',
    smtp_url: `smtp://help:secret@127.0.0.1:${smtp.port}`,
    imap_url: `imap://help:secret@127.0.0.1:${imap.port}`,
  };
  assert.deepEqual(await learn(settings, http), {});
  assert.deepEqual([smtp.logins(), smtp.letters.length], [1, 0]);
  const outside = { ...settings, smtp_url: `smtp://help:wrong@127.0.0.1:${smtp.port}` };
  await assert.rejects(learn(outside, http), /smtp_url refused: .*535/);
  const inside = { ...settings, imap_url: `imap://help:wrong@127.0.0.1:${imap.port}` };
  await assert.rejects(learn(inside, http), /imap_url refused: .*Invalid credentials/);
  await assert.rejects(
    learn({ ...settings, smtp_url: 'smtp://10.1.2.3' }, http),
    /not on the public internet/,
  );
  assert.deepEqual(await learn({ ...settings, imap_url: undefined }, http), {});
});

test('a server address has a default port, and its password keeps every character', () => {
  assert.deepEqual(readServer('smtps://a%40b.c:p%3Aw%25@mail.example'), {
    host: 'mail.example',
    port: 465,
    secure: true,
    user: 'a@b.c',
    pass: 'p:w%',
  });
  const ports = ['smtp://h', 'imap://h', 'imaps://h', 'imaps://[::1]:1993'].map(
    (url) => readServer(url).port,
  );
  assert.deepEqual(ports, [587, 143, 993, 1993]);
  assert.equal(readServer('imaps://[::1]').host, '::1');
  assert.equal(readServer('smtp://a:100%@h').pass, '100%');
});

test('invalid settings are refused', () => {
  const good = { from: 'help@shop.example', smtp_url: 'smtp://mail.example' };
  const forms = { ...good, form_senders: 'form@shop.example, help@shop.example' };
  for (const given of [good, forms]) assert.deepEqual(readSettings(schema, given), given);
  for (const bad of [
    { from: 'help' },
    { from: 'a@b, c@d' },
    { from: 'a@b\r\nBcc: c@d' },
    { from_name: 'a\r\nBcc: c@d' },
    { smtp_url: 'http://mail.example' },
    { smtp_url: 'smtp://mail.example/?tls=no' },
    { imap_url: 'smtp://mail.example' },
    { tls: 'no' },
    { form_senders: 'form' },
    { form_senders: 'form@shop.example, Form <form@shop.example>' },
    { form_senders: 'form@shop.example;other@shop.example' },
  ]) {
    assert.throws(() => readSettings(schema, { ...good, ...bad }), Invalid, JSON.stringify(bad));
  }
});
