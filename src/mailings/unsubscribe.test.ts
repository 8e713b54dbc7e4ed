import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, type Partner, startPatchbay } from '../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../test/mailing.ts';
import { signIn } from '../../test/person.ts';
import { standingOf } from '../clients/consent/standing-store.ts';
import { unsubscribeTokens } from '../messaging/chats/unsubscribe-token.ts';

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const { sql } = context;
const tokens = unsubscribeTokens(context.config.secretKey);

const addressFor = ({ projectId }: Partner, chatId: string): string =>
  `/u/${tokens.make({ projectId, chatId, topicId: null })}/`;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = (path: string) => call('POST', path, { headers: form, body: 'List-Unsubscribe=One-Click' });

async function mail({ key }: Partner, audience: object = { filter_chats: { all: [] } }): Promise<string> {
  const { status, body } = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'Sale', text: 'Sale', ...audience },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
}

/** The mailing's statistics at its end. */
async function ended({ key }: Partner, uuid: string) {
  for (;;) {
    const { body } = await call('GET', `/api/partners/mailings/${uuid}/`, { headers: key });
    if (body.state !== 'planned' && body.state !== 'in_process') return body.statistics;
  }
}

const textsTo = ({ messenger }: Partner, name: string): string[] =>
  messenger.deliveries
    .map(({ body }) => body.payload)
    .filter(({ chat }) => chat.external_id === name)
    .map(({ message }) => message.text);

test('one click without a login ends mailings for a client, and nothing else', async (t) => {
  const partner = await createPartner(t, patchbay);
  const ann = await partner.client('ann');
  await partner.client('bob');
  await ended(partner, await mail(partner));
  assert.deepEqual([textsTo(partner, 'ann'), textsTo(partner, 'bob')], [['Sale'], ['Sale']]);

  const { status } = await oneClick(addressFor(partner, ann.chat));
  assert.equal(status, 200);
  const { count_planned } = await ended(partner, await mail(partner));
  assert.equal(count_planned, 1);
  assert.deepEqual([textsTo(partner, 'ann'), textsTo(partner, 'bob')], [['Sale'], ['Sale', 'Sale']]);

  const pushed = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: ann.chat }, content: { type: 'TEXT', text: 'Your order is here' } },
  });
  assert.equal(pushed.status, 201);
  await partner.messenger.received(4);
  // They write again: this is no wish for mailings.
  await call('POST', `/channels/${partner.channel.id}/messages/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: {
      chat: { external_id: 'ann', name: 'ann' },
      message: { external_id: 'again', type: 'text', text: 'Thanks' },
    },
  });
  await ended(partner, await mail(partner));
  assert.deepEqual(textsTo(partner, 'ann'), ['Sale', 'Your order is here']);
});

test('a client who unsubscribes in one chat gets no mailing in another', async (t) => {
  const partner = await createPartner(t, patchbay);
  const first = await partner.client('mail');
  const second = await partner.client('phone');
  await sql`update chats set profile_id = ${first.profile} where id = ${second.chat}`;
  await oneClick(addressFor(partner, first.chat));
  assert.equal((await ended(partner, await mail(partner))).count_planned, 0);
});

test('a message that was planned before is undelivered, with the reason', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  await oneClick(addressFor(partner, chat));
  const mailing = await seedMailing(sql, partner.projectId);
  const [id = ''] = await seedMailingMessages(sql, partner.projectId, mailing, [{ chat }]);
  context.wake.wake('sending');
  let row: { state: string; state_detail: string } | undefined;
  while (row?.state !== 'UNDELIVERED') {
    [row] = await sql<{ state: string; state_detail: string }[]>`
      select state, state_detail from messages where id = ${id}`;
  }
  assert.equal(row.state_detail, 'The client has unsubscribed from mailings.');
  const [counts] = await sql<{ undelivered: number }[]>`
    select sum(undelivered)::int as undelivered from mailing_counts where mailing_id = ${mailing}`;
  assert.equal(counts?.undelivered, 1);
});

test('a list says which of its people have unsubscribed', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat, profile } = await partner.client('ann');
  await oneClick(addressFor(partner, chat));
  const uuid = await mail(partner, { customer_filter_array: [profile], customer_filter_field: 'UUID' });
  await ended(partner, uuid);
  const problems = await sql`select line, reason from mailing_problems where mailing_id = ${uuid}`;
  assert.deepEqual([...problems], [{ line: 1, reason: 'The client has unsubscribed from mailings.' }]);
});

test('looking at the address changes nothing, any form ends mailings, and the page takes a client back', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const path = addressFor(partner, chat);
  const since = async () => {
    const [row] = await sql<
      { at: Date | null }[]
    >`select unsubscribed_at as at from chats where id = ${chat}`;
    return row?.at ?? null;
  };
  const asked = await call('GET', path);
  assert.equal(asked.status, 200);
  assert.match(asked.body, /“Test project” will send you no more mailings[\s\S]*Unsubscribe<\/button>/);
  assert.equal(await since(), null);

  const boundary = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const left = await call('POST', path, { headers, body: boundary });
  assert.match(left.body, /You are unsubscribed/);
  const leftAt = await since();
  assert.notEqual(leftAt, null);
  await oneClick(path);
  assert.deepEqual(await since(), leftAt);

  const russian = await call('GET', path, { headers: { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' } });
  assert.match(russian.body, /<html lang="ru">[\s\S]*Вы отписаны[\s\S]*Подписаться снова/);
  const back = await call('POST', path, { headers: form, body: 'again=1' });
  assert.match(back.body, /Stop mailings\?/);
  assert.equal(await since(), null);
});

test('the address of a mailing about a topic leaves that topic, and its page lets one choose', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { projectId } = partner;
  const { chat, profile } = await partner.client('ann');
  const { headers } = await signIn(context, { projectId });
  const topic = async (name: string): Promise<string> =>
    (await call('POST', '/console/api/topics/', { headers, body: { name } })).body.uuid;
  const [sales, news] = [await topic('Sales'), await topic('News & <more>')];
  const path = `/u/${tokens.make({ projectId, chatId: chat, topicId: sales })}/`;
  const left = async () => {
    const { everything, topics } = await standingOf(sql, { projectId, profileId: profile });
    return [everything?.by, ...topics.map(({ name, by }) => `${name} ${by}`)];
  };
  const asked = await call('GET', path);
  assert.match(asked.body, new RegExp(`value="${sales}" checked> Sales<[\\s\\S]*value=""> All mailings<`));
  assert.match(asked.body, /> News &amp; &lt;more&gt;</);
  const clicked = await oneClick(path);
  assert.match(clicked.body, /You no longer get: Sales\.[\s\S]*Subscribe again/);
  assert.deepEqual(await left(), [undefined, 'Sales link']);
  await call('POST', path, { headers: form, body: `topic=${news}` });
  assert.deepEqual(await left(), [undefined, 'News & <more> link', 'Sales link']);
  await call('POST', path, { headers: form, body: 'again=1' });
  assert.deepEqual(await left(), [undefined]);
  await call('POST', path, { headers: form, body: 'topic=' });
  assert.deepEqual(await left(), ['link']);
  await call('POST', path, { headers: form, body: 'again=1' });
  // The topic is gone, but the client wants to leave.
  await call('DELETE', `/console/api/topics/${sales}/`, { headers });
  await oneClick(path);
  assert.deepEqual(await left(), ['link']);
});

test('an address that was not made here, or whose chat is gone, is not found', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const other = unsubscribeTokens('another key of at least 32 characters').make({
    projectId: partner.projectId,
    chatId: chat,
    topicId: null,
  });
  const gone = tokens.make({ projectId: chat, chatId: chat, topicId: null });
  for (const token of [other, gone, 'nonsense', 'A'.repeat(55)]) {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await call(method, `/u/${token}/`, { headers: method === 'GET' ? {} : form });
      assert.deepEqual([status, body], [404, { detail: 'Not found.' }]);
    }
  }
});
