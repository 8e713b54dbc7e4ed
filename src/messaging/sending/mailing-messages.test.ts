import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../test/mailing.ts';
import { answerWith, startMessenger as startReceiver } from '../../../test/stand-ins/messenger.ts';
import { setProjectWebhook } from '../../events/endpoints/project-webhook.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;

type Delivered = { uuid: string; type: string; text: string };

async function scene(t: TestContext) {
  const partner = await createPartner(t, patchbay);
  const { projectId } = partner;
  const { chat, profile } = await partner.client('ann', { phone: '+12025550123' });
  const send = async (mailing: string, messages: Parameters<typeof seedMailingMessages>[3]) => {
    // In one transaction: the engine would claim rows that are there already.
    const ids = await sql.begin((transaction) =>
      seedMailingMessages(transaction, projectId, mailing, messages),
    );
    context.wake.wake('sending');
    return ids;
  };
  const delivered = async (count: number): Promise<Delivered[]> =>
    (await partner.messenger.received(count)).map(({ body }) => body.payload.message);
  const row = async (id: string) => {
    const [found] = await sql`select state, state_detail, rendered from messages where id = ${id}`;
    return found;
  };
  /** The row in its last state. */
  const settled = async (id: string) => {
    await waitUntil(async () => !['PENDING', 'IN_PROCESS'].includes((await row(id))?.state));
    return row(id);
  };
  const statistics = async (mailing: string) =>
    (await call('GET', `/api/partners/mailings/${mailing}/`, { headers: partner.key })).body.statistics;
  const channel = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${partner.channel.secret}` };
    const answer = await call('POST', `/channels/${partner.channel.id}/${path}/`, { headers, body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  return { partner, projectId, chat, profile, send, delivered, row, settled, statistics, channel };
}

test('a text is rendered with the line of the file first, then the promo code, then the known data', async (t) => {
  const { projectId, chat, send, delivered, settled } = await scene(t);
  const mailing = await seedMailing(sql, projectId, {
    text: '{{name}}, {{ phone }}, {{order}}: {{promocode:Spring}} {{unknown}}{{}} for {{chat.platform}}',
  });
  const content = { variables: { order: '12', name: 'Anna {{phone}}' }, promocodes: { Spring: 'SALE-1' } };
  const [id = ''] = await send(mailing, [{ chat, content }]);
  const text = 'Anna {{phone}}, +12025550123, 12: SALE-1 {{}} for API_Messenger';
  const [message] = await delivered(1);
  assert.partialDeepStrictEqual(message, { uuid: id, type: 'text', text });
  assert.deepEqual((await settled(id))?.rendered, { type: 'text', text });
});

test('a recipient whose text cannot be rendered is parked with the reason, and the others get theirs', async (t) => {
  const { partner, projectId, chat, send, delivered, settled, statistics } = await scene(t);
  const [bob, cid] = [await partner.client('bob'), await partner.client('cid')];
  const mailing = await seedMailing(sql, projectId, { text: '{{promocode:Spring}}{{city}}' });
  const ids = await send(mailing, [
    { chat, content: { variables: { city: 'Oslo' } } },
    { chat: bob.chat, content: { promocodes: { Spring: ' ' } } },
    { chat: cid.chat, content: { promocodes: { Spring: 'SALE-1' }, variables: { city: ' Oslo' } } },
  ]);
  assert.deepEqual(
    (await delivered(1)).map(({ text }) => text),
    ['SALE-1 Oslo'],
  );
  const [one, two, three] = await Promise.all(ids.map(settled));
  assert.deepEqual(
    [one?.state, one?.state_detail],
    ['ERROR', 'There is no promo code of the group "Spring".'],
  );
  assert.deepEqual([two?.state, two?.state_detail], ['ERROR', 'The text is empty for this recipient.']);
  assert.equal(three?.state, 'SENT');
  assert.partialDeepStrictEqual(await statistics(mailing), {
    count_planned: 3,
    count_sent: 1,
    count_undelivered: 2,
    count_platforms: { API_Messenger: 3 },
  });
});

test('a mailing counts a message that lost its promo code, and one whose code expired, as undelivered', async (t) => {
  const { partner, projectId, chat, send, settled, statistics } = await scene(t);
  const [bob, cid] = [await partner.client('bob'), await partner.client('cid')];
  const mailing = await seedMailing(sql, projectId, { text: 'Take {{promocode:Spring}}' });
  const due_at = new Date(clock.now().getTime() + 60_000);
  const ids = await send(mailing, [
    { chat, due_at, content: { promocodes: { Spring: 'LOST' } } },
    { chat: bob.chat, due_at, content: { promocodes: { Spring: 'EXPIRED' } } },
    { chat: cid.chat, due_at, content: { promocodes: { Spring: 'VALID' } } },
  ]);
  await sql`delete from promocodes where project_id = ${projectId} and code = 'LOST'`;
  await sql`update promocodes set expires_at = ${due_at} where project_id = ${projectId} and code = 'EXPIRED'`;
  clock.advance(60_000);
  context.wake.wake('sending');
  const ended = await Promise.all(ids.map(settled));
  assert.deepEqual(
    ended.map((row) => row?.state),
    ['UNDELIVERED', 'UNDELIVERED', 'SENT'],
  );
  assert.deepEqual(ended.map((row) => row?.state_detail).slice(0, 2), [
    'The promo code is no longer reserved for the message.',
    'The promo code expired before the message was sent.',
  ]);
  assert.partialDeepStrictEqual(await statistics(mailing), { count_sent: 1, count_undelivered: 2 });
  assert.equal(partner.messenger.deliveries.length, 1);
});

test('an open operator session makes a mailing’s message undelivered, unless it comes from the chat center', async (t) => {
  const { partner, projectId, chat, send, delivered, settled } = await scene(t);
  await call('POST', '/api/partners/connector/', {
    headers: partner.token,
    body: {
      event: 'message_created',
      chat: { uuid: chat },
      sender: { name: 'Olga' },
      timestamp: clock.now().getTime(),
      message: { type: 'text', text: 'How can I help?' },
    },
  });
  await delivered(1);
  const mailing = await seedMailing(sql, projectId);
  const [held = ''] = await send(mailing, [{ chat }]);
  const [forced = ''] = await send(await seedMailing(sql, projectId), [{ chat, is_force: true }]);
  assert.equal((await delivered(2))[1]?.uuid, forced);
  assert.partialDeepStrictEqual(await settled(held), {
    state: 'UNDELIVERED',
    state_detail: 'The chat has an open operator session.',
  });
});

test('a template is rendered from its own values and the columns of the line', async (t) => {
  const { projectId, chat, send, settled } = await scene(t);
  const mailing = await seedMailing(sql, projectId, {
    template_body: 'Order {{order}} is {{state}}.',
    template_variables: { order: { type: 'FILE' }, state: { type: 'GLOBAL', value: 'ready' } },
  });
  const [told = '', empty = '', unfit = ''] = await send(mailing, [
    { chat, content_type: 'WHATSAPP_TEMPLATE', content: { variables: { order: '12' } } },
    { chat, content_type: 'WHATSAPP_TEMPLATE', content: { variables: { order: '' } } },
    { chat, content_type: 'WHATSAPP_TEMPLATE', content: { variables: { order: '1\n2' } } },
  ]);
  // This stand-in's channel carries no templates, which is detected after the rendering.
  assert.deepEqual((await settled(told))?.rendered, {
    type: 'whatsapp_template',
    text: 'Order 12 is ready.',
  });
  const detail = (await settled(empty))?.state_detail;
  assert.equal(detail, 'There is no value for the template\'s variable "order".');
  const refused = await settled(unfit);
  assert.equal(refused?.state, 'UNDELIVERED');
  assert.match(refused?.state_detail ?? '', /^The template's variable "order": A value has one line/);
});

test('a retry sends the same text, whatever has changed about its recipient', async (t) => {
  const { partner, projectId, chat, profile, send, delivered, row } = await scene(t);
  partner.messenger.behave(answerWith(503));
  const mailing = await seedMailing(sql, projectId, { text: 'Hello {{name}}' });
  const [id = ''] = await send(mailing, [{ chat }]);
  await delivered(1);
  await waitUntil(async () => (await row(id))?.rendered !== null);
  await sql`update profiles set name = 'Anna' where id = ${profile}`;
  partner.messenger.behave(answerWith(200));
  clock.advance(60_000);
  context.wake.wake('sending');
  assert.deepEqual(
    (await delivered(2)).map(({ text }) => text),
    ['Hello ann', 'Hello ann'],
  );
});

test('a recipient who was merged with another gets the mailing once', async (t) => {
  const { partner, projectId, chat, profile, send, row, settled } = await scene(t);
  const other = await partner.client('ann-2');
  await sql`update channels set state = 'paused' where id = ${partner.channel.id}`;
  const [first = '', second = ''] = await send(await seedMailing(sql, projectId), [
    { chat },
    { chat: other.chat },
  ]);
  await sql`update chats set profile_id = ${profile} where id = ${other.chat}`;
  await sql`update channels set state = 'active' where id = ${partner.channel.id}`;
  context.wake.wake('sending');
  assert.equal((await settled(first))?.state, 'SENT');
  await waitUntil(async () => (await row(second))?.state_detail !== '');
  clock.advance(10_000);
  context.wake.wake('sending');
  assert.partialDeepStrictEqual(await settled(second), {
    state: 'UNDELIVERED',
    state_detail: 'The client got this mailing in another chat.',
  });
});

test('a recipient who was merged with another gets the mailing once, also after the death of both workers', async (t) => {
  const { partner, projectId, chat, profile, row, settled } = await scene(t);
  const bob = await partner.client('bob');
  const mailing = await seedMailing(sql, projectId);
  const ids = await sql.begin(async (transaction) => {
    const made = await seedMailingMessages(transaction, projectId, mailing, [{ chat }, { chat: bob.chat }]);
    await transaction`update messages set state = 'IN_PROCESS', attempts = 1 where id = any (${made}::uuid[])`;
    await transaction`update chats set profile_id = ${profile} where id = ${bob.chat}`;
    return made;
  });
  context.wake.wake('sending');
  const [first = '', second = ''] = ids;
  const states = [(await settled(first))?.state];
  await waitUntil(async () => (await row(second))?.state_detail !== '');
  clock.advance(30_000);
  context.wake.wake('sending');
  states.push((await settled(second))?.state);
  assert.deepEqual(states, ['SENT', 'UNDELIVERED']);
});

test('the project’s webhook gets every state and reaction, in order, and nothing else', async (t) => {
  const { partner, projectId, chat, profile, send, delivered, statistics, channel } = await scene(t);
  const receiver = await startReceiver(t);
  await setProjectWebhook(context, {
    projectId,
    url: receiver.url,
    kinds: ['MAILING_STATE', 'MAILING_REACTION'],
  });
  const mailing = await seedMailing(sql, projectId, { text: 'See https://shop.test/' });
  const [id = ''] = await send(mailing, [{ chat }]);
  await receiver.received(1);
  const [message] = await delivered(1);
  const visit = () =>
    fetch(message?.text.replace('See https://patchbay.test', patchbay.address) ?? '', { redirect: 'manual' });

  await channel('receipts', { message: { uuid: id }, state: 'delivered' });
  await channel('receipts', { message: { uuid: id }, state: 'read' });
  await channel('receipts', { message: { uuid: id }, state: 'read' });
  await Promise.all([visit(), visit(), visit()]);
  await sql`
    update messages set rendered = rendered || '{"buttons": [{"text": "Yes", "payload": "yes"}]}' where id = ${id}`;
  const write = (external_id: string, rest: object) =>
    channel('messages', { chat: { external_id: 'ann' }, message: { external_id, text: 'Yes', ...rest } });
  await write('m1', { type: 'button', payload: 'yes' });
  await write('m2', { type: 'button', payload: 'yes' });
  await write('m3', { type: 'text' });
  await write('m4', { type: 'text' });
  // Pushes are no mailings, and a failed message is announced as undelivered.
  await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hello' } },
  });
  await delivered(2);
  partner.messenger.behave(answerWith(422));
  await send(mailing, [{ chat }]);
  const events = (await receiver.received(8)).map(({ body }) => body);

  const ofChat = { chat: { uuid: chat }, profile: { uuid: profile }, mailing: { uuid: mailing } };
  assert.deepEqual(events[0], {
    event_type: 'mailing.state',
    payload: { ...ofChat, message: { state: 'sent' } },
    timestamp: clock.now().getTime() / 1000,
  });
  assert.deepEqual(events[3], {
    event_type: 'mailing.reaction',
    payload: { uuid: events[3].payload.uuid, chat: { uuid: chat, platform: 'API_Messenger' }, type: 'READ' },
    timestamp: clock.now().getTime() / 1000,
  });
  assert.deepEqual(
    events.map(({ payload }) => payload.message?.state ?? payload.type),
    ['sent', 'delivered', 'read', 'READ', 'URL', 'CLICK', 'REPLY', 'undelivered'],
  );
  assert.equal(receiver.deliveries.length, 8);
  assert.deepEqual(await statistics(mailing), {
    count_planned: 2,
    count_sent: 1,
    count_delivered: 1,
    count_undelivered: 1,
    count_read: 1,
    count_clicked: 1,
    count_jumped_url: 1,
    count_replied: 1,
    count_converted: 0,
    count_platforms: { API_Messenger: 2 },
  });
});

test('after the stop of a mailing only messages in flight are still sent', async (t) => {
  const { partner, projectId, chat, send, delivered, settled, statistics } = await scene(t);
  const release: (() => void)[] = [];
  partner.messenger.behave((delivery, response) => {
    release.push(() => answerWith(200)(delivery, response));
  });
  // Ten at once, and ten more a tenth of a second later.
  await sql`
    update channel_pace set rate = 100, tokens = 10, tokens_at = ${clock.now()} where channel_id = ${partner.channel.id}`;
  const mailing = await seedMailing(sql, projectId);
  await send(
    mailing,
    Array.from({ length: 30 }, () => ({ chat })),
  );
  await delivered(10);
  const path = `/api/partners/mailings/${mailing}/stop/`;
  const stopped = await call('POST', path, { headers: partner.key });
  assert.deepEqual([stopped.status, stopped.body.state], [200, 'stopped']);

  partner.messenger.behave(answerWith(200));
  for (const answer of release) answer();
  // The messages behind the stopped mailing are reached, because claims cancel its messages.
  const [last = ''] = await send(await seedMailing(sql, projectId, { text: 'Other' }), [{ chat }]);
  clock.advance(1000);
  context.wake.wake('sending');
  assert.equal((await settled(last))?.state, 'SENT');
  assert.deepEqual(
    (await delivered(11)).map(({ text }) => text),
    [...Array(10).fill('Hello'), 'Other'],
  );
  const [counts] = await sql`
    select sum(planned)::int as planned, sum(sent)::int as sent, sum(cancelled)::int as cancelled
    from mailing_counts where mailing_id = ${mailing}`;
  assert.deepEqual(counts, { planned: 30, sent: 10, cancelled: 20 });

  const again = await call('POST', path, { headers: partner.key });
  assert.deepEqual(
    [again.status, again.body],
    [200, { ...stopped.body, statistics: await statistics(mailing) }],
  );
});

test('a message that may have been received is not sent again after a stop', async (t) => {
  const { partner, projectId, chat, send, delivered, row, settled } = await scene(t);
  partner.messenger.behave(answerWith(500));
  const mailing = await seedMailing(sql, projectId);
  const [id = ''] = await send(mailing, [{ chat }]);
  await delivered(1);
  await waitUntil(async () => (await row(id))?.state_detail !== '');
  await call('POST', `/api/partners/mailings/${mailing}/stop/`, { headers: partner.key });
  clock.advance(60_000);
  context.wake.wake('sending');
  assert.equal((await settled(id))?.state, 'UNDELIVERED');
  assert.equal(partner.messenger.deliveries.length, 1);
});

test('a message that has waited for days behind others is not given up at the first “slow down”', async (t) => {
  const { partner, projectId, chat, send, delivered, row, settled } = await scene(t);
  partner.messenger.behave(answerWith(429, { 'retry-after': '1' }));
  clock.advance(48 * 3_600_000);
  const [id = ''] = await send(await seedMailing(sql, projectId), [{ chat }]);
  await delivered(1);
  await waitUntil(async () => (await row(id))?.state !== 'IN_PROCESS');
  assert.equal((await row(id))?.state, 'PENDING');
  partner.messenger.behave(answerWith(200));
  clock.advance(60_000);
  context.wake.wake('sending');
  assert.equal((await settled(id))?.state, 'SENT');
});

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

test('no message is sent after the moment by which its mailing is done', async (t) => {
  const { partner, projectId, chat, send, settled } = await scene(t);
  const mailing = await seedMailing(sql, projectId, { text: 'Too late' });
  await sql`update mailings set finish_by = ${clock.now()} where id = ${mailing}`;
  const [id = ''] = await send(mailing, [{ chat }]);
  assert.equal((await settled(id))?.state, 'CANCELLED');
  const next = await seedMailing(sql, projectId, { text: 'In time' });
  await sql`update mailings set finish_by = ${new Date(clock.now().getTime() + 1)} where id = ${next}`;
  const [other = ''] = await send(next, [{ chat }]);
  assert.equal((await settled(other))?.state, 'SENT');
  const texts = partner.messenger.deliveries.map(({ body }) => body.payload.message?.text);
  assert.deepEqual(texts, ['In time']);
});
