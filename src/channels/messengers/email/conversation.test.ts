import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { Invalid } from '../../../platform/problem.ts';
import { importScenario } from '../../../scenarios/import.ts';
import { addStarter } from '../../../scenarios/starters.ts';
import { startImap } from '../../../simulator/email/imap.ts';
import { dsn, letter, mdn } from '../../../simulator/email/letters.ts';
import { startSmtp } from '../../../simulator/email/smtp.ts';
import { addChannel, changeChannel } from '../../connected/channels.ts';

const account = { user: 'help', password: 'secret' };
const smtp = await startSmtp({ after }, account);
const imap = await startImap({ after }, account);
const patchbay = await startPatchbay({ after });
const { context, call } = patchbay;
const { sql } = context;
const { projectId, key } = await createPartner({ after }, patchbay);

const idled = imap.idled();
const settings = {
  from: 'help@shop.example',
  smtp_url: `smtp://help:secret@127.0.0.1:${smtp.port}`,
  imap_url: `imap://help:secret@127.0.0.1:${imap.port}`,
};
const channel = await addChannel(context, { projectId, platform: 'Email', name: 'Mailbox', settings });
context.wake.wake('channels');
await idled;

/** Repeats a query until it returns a row. */
async function found<T>(ask: () => Promise<T[]>): Promise<T> {
  for (;;) {
    const [row] = await ask();
    if (row !== undefined) return row;
  }
}

const chatOf = (externalId: string) =>
  found(
    () =>
      sql<
        { id: string }[]
      >`select id from chats where channel_id = ${channel.id} and external_id = ${externalId} and heard_id is not null`,
  );

const reaches = (id: string, state: string) =>
  found(
    () =>
      sql<
        { state_detail: string }[]
      >`select state_detail from messages where id = ${id} and state = ${state}`,
  );

async function answer(chat: string, text: string): Promise<string> {
  const content = { type: 'TEXT', text };
  const { status, body } = await call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: { chat: { uuid: chat }, content },
  });
  assert.equal(status, 201);
  await reaches(body.uuid, 'SENT');
  return body.uuid;
}

test('an answer continues the client’s thread, and its reports move it to DELIVERED and READ', async () => {
  imap.deliver(letter({ subject: 'My order', text: 'Where is it?', messageId: '<q1@client.example>' }));
  const { id: chat } = await chatOf('ann@client.example');
  const uuid = await answer(chat, 'On its way.');
  const { envelope, mail } = smtp.letters.at(-1) ?? assert.fail();
  assert.equal(mail.messageId, `<${uuid}@shop.example>`);
  assert.equal(mail.inReplyTo, '<q1@client.example>');
  assert.equal(mail.references, '<q1@client.example>');
  assert.equal(mail.subject, 'Re: My order');
  imap.deliver(dsn({ action: 'delivered', to: envelope.from }));
  await reaches(uuid, 'DELIVERED');
  imap.deliver(mdn({ messageId: mail.messageId ?? '', disposition: 'a/b; displayed' }));
  await reaches(uuid, 'READ');
});

test('a later bounce moves the message to UNDELIVERED with the reason', async () => {
  imap.deliver(letter({ from: 'bob@client.example', messageId: '<q2@client.example>' }));
  const { id: chat } = await chatOf('bob@client.example');
  const uuid = await answer(chat, 'Hello, Bob.');
  imap.deliver(dsn({ action: 'failed', envelopeId: uuid, diagnosis: '552 5.2.2 Mailbox full' }));
  const { state_detail } = await reaches(uuid, 'UNDELIVERED');
  assert.equal(state_detail, '552 5.2.2 Mailbox full');
});

test('a mail is stored once even if UIDVALIDITY changes', async () => {
  const count = () =>
    sql<
      { n: number }[]
    >`select count(*)::int as n from messages where channel_id = ${channel.id} and direction = 'in'`;
  const before = await count();
  imap.renumber();
  const again = imap.idled();
  imap.cut();
  await again;
  imap.deliver(letter({ from: 'eve@client.example', messageId: '<q3@client.example>' }));
  await chatOf('eve@client.example');
  assert.deepEqual(await count(), [{ n: (before[0]?.n ?? 0) + 1 }]);
});

test('an attachment gets an address of ours', async () => {
  const files = [{ name: 'a.txt', type: 'text/plain', bytes: Buffer.from('Hello, file!') }];
  imap.deliver(
    letter({ from: 'fay@client.example', messageId: '<q4@client.example>', text: '', subject: '', files }),
  );
  const { url } = await found(
    () => sql<{ url: string }[]>`
      select content ->> 'url' as url from messages
      where channel_id = ${channel.id} and external_id = '<q4@client.example>#1'`,
  );
  const path = new URL(url).pathname;
  let served = await call('GET', path);
  while (served.status !== 200) served = await call('GET', path);
  assert.equal(served.body, 'Hello, file!');
});

test('a scenario hears an answer without the mail that it quotes', async () => {
  const steps = [
    { id: 'which', type: 'ask', text: 'Which colour?', keep: { variable: 'colour' } },
    { id: 'said', type: 'message', text: 'You like {{colour}}.' },
  ];
  const file = Buffer.from(JSON.stringify({ name: 'Colours', steps }));
  const { id: scenario } = await importScenario(context, { projectId, file });
  await addStarter(context, projectId, scenario, { kind: 'keyword', value: 'colour' });
  const from = 'ida@client.example';
  const sent = (text: string) =>
    found(
      () =>
        sql<{ id: string }[]>`select id from messages where content ->> 'text' = ${text} and state = 'SENT'`,
    );
  imap.deliver(letter({ from, subject: '', messageId: '<i1@client.example>', text: 'Colour' }));
  const { id } = await sent('Which colour?');
  const text = 'Blue\r\n\r\nOn 4 May 2026 Shop <help@shop.example> wrote:\r\n> Which colour?\r\n';
  imap.deliver(letter({ from, messageId: '<i2@client.example>', inReplyTo: `<${id}@shop.example>`, text }));
  await sent('You like Blue.');
});

test('the header of a mailing ends mailings by one POST, and an answer has no such header', async () => {
  imap.deliver(letter({ from: 'gus@client.example', messageId: '<q5@client.example>' }));
  const { id: chat } = await chatOf('gus@client.example');
  const made = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'Sale', text: 'Sale', customer_filter_field: 'CHAT_UUID', customer_filter_array: [chat] },
  });
  assert.equal(made.status, 201);
  await found(
    () =>
      sql<
        { id: string }[]
      >`select id from messages where chat_id = ${chat} and source = 'mailing' and state = 'SENT'`,
  );
  const headers = new Map(smtp.letters.at(-1)?.mail.headers.map(({ key: name, value }) => [name, value]));
  assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const [, path = ''] =
    /^<https:\/\/patchbay\.test(\/u\/[\w-]{55}\/)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? [];
  const left = await call('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  assert.equal(left.status, 200);
  const [row] =
    await sql`select stopped_at, unsubscribed_at is not null as has_left from chats where id = ${chat}`;
  assert.deepEqual(row, { stopped_at: null, has_left: true });
  await answer(chat, 'Your order is on its way.');
  assert.ok(!smtp.letters.at(-1)?.mail.headers.some(({ key: name }) => name === 'list-unsubscribe'));
});

test('an answer of the word that leaves, above the earlier mail, ends mailings', async () => {
  const text = 'Stop\n\nOn Fri, Nov 20, 2026 at 10:00 AM Shop <help@shop.example> wrote:\n> Sale';
  imap.deliver(
    letter({
      from: 'hal@client.example',
      messageId: '<q6@client.example>',
      inReplyTo: '<m@shop.example>',
      text,
    }),
  );
  const { id: chat } = await chatOf('hal@client.example');
  await found(() => sql`select from chats where id = ${chat} and unsubscribed_at is not null`);
  const [message] = await sql`select content from messages where chat_id = ${chat} and direction = 'in'`;
  assert.equal(message?.content.text, text);
});

test('a mailbox is connected once in a project, and others beside it', async () => {
  const add = (more: object, project = projectId) =>
    addChannel(context, {
      projectId: project,
      platform: 'Email',
      name: 'Again',
      settings: { ...settings, from: 'sales@shop.example', ...more },
    });
  const taken = {
    settings: { non_field_errors: ['The channel "Mailbox" has this account. Change that one instead.'] },
  };
  const isTaken = (error: unknown) => {
    assert.ok(error instanceof Invalid);
    assert.deepEqual(error.fields, taken);
    return true;
  };
  await assert.rejects(add({}), isTaken);
  await assert.rejects(add({ imap_url: `imap://help:secret@127.0.0.1:${imap.port}/` }), isTaken);
  const sender = await add({ imap_url: undefined });
  await assert.rejects(changeChannel(context, sender, { settings }), isTaken);
  await changeChannel(context, channel, { settings: { from_name: 'Shop' } });
  const { projectId: elsewhere } = await createPartner({ after }, patchbay);
  await add({}, elsewhere);
});
