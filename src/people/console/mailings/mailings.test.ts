import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { answerWith, type Behaviour } from '../../../../test/stand-ins/messenger.ts';

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId, messenger } = partner;
const { headers } = await signIn(context, { projectId });
const mailings = '/console/api/mailings/';
const get = async (path: string) => (await call('GET', mailings + path, { headers })).body;
const post = (path: string, body: object, more: Record<string, string> = {}) =>
  call('POST', mailings + path, { headers: { ...headers, ...more }, body });
const everybody = { filter_chats: { all: [] } };

const names = ['ann', 'bob', 'cid', 'dan', 'eve'];
for (const name of names) await partner.client(name);

/** The mailing in its final state. */
async function over(uuid: string) {
  for (;;) {
    const detail = await get(`${uuid}/`);
    if (detail.summary.state === 'completed') return detail;
  }
}

const sentTo = (from: number): string[] =>
  messenger.deliveries.slice(from).map(({ body }) => body.payload.chat.external_id);

test('the preview equals the messages that the first recipients then get; links are tracked, codes are not taken', async () => {
  await call('POST', '/api/partners/promocode-groups/', { headers: partner.key, body: { name: 'Spring' } });
  const draft = { text: 'Hi {{name}}: https://shop.test/{{name}} {{chat.platform}}', ...everybody };
  const { body } = await post('preview/', draft);
  assert.equal(body.recipients.length, 3);
  const from = messenger.deliveries.length;
  const { body: made } = await post('', { name: 'Sale', ...draft });
  await over(made.uuid);
  const texts = messenger.deliveries
    .slice(from)
    .map(({ body }) => body.payload.message.text.replace(/\/l\/[\w-]+/, '/l/…'));
  assert.equal(texts.length, names.length);
  for (const { text, profile } of body.recipients) {
    assert.ok(texts.includes(text), text);
    assert.ok(text.includes(`Hi ${profile.name}: https://patchbay.test/l/…`));
  }
  const codes = await post('preview/', { ...draft, text: 'Code {{promocode:Spring}}' });
  assert.equal(codes.body.recipients[0].text, 'Code XXXXXX');
});

test('an invalid mailing is refused beside its field, in a preview too', async () => {
  const { status, body } = await post('preview/', { ...everybody, text: '{{promocode:Nowhere}}' });
  assert.deepEqual([status, Object.keys(body)], [400, ['text']]);
});

test('a start that is clicked twice makes one mailing', async () => {
  const before = (await get('')).count;
  const once = { 'idempotency-key': randomUUID() };
  const start = () => post('', { name: 'Twice', text: 'Hello', ...everybody }, once);
  const [one, other] = await Promise.all([start(), start()]);
  assert.deepEqual([one.status, other.status, one.body.uuid], [201, 201, other.body.uuid]);
  assert.equal((await get('')).count, before + 1);
  await over(one.body.uuid);
});

test('a mailing is resent once to exactly the recipients who were not reached and have not refused it', async () => {
  const refuse =
    (statuses: Record<string, number>): Behaviour =>
    (delivery, response) =>
      answerWith(statuses[delivery.body.payload.chat.external_id] ?? 200)(delivery, response);
  messenger.behave(refuse({ bob: 422, cid: 422, dan: 403 }));
  const { body: first } = await post('', { name: 'News', text: 'Hello {{name}}{{order}}', ...everybody });
  const { summary, mailing } = await over(first.uuid);
  assert.partialDeepStrictEqual(summary.counts, {
    planned: 5,
    sent: 2,
    undelivered: 3,
    stopped: 0,
    pending: 0,
  });
  assert.equal(mailing.name, 'News');
  // As a channel reports that a client has blocked us.
  await context.sql`update chats set stopped_at = created_at where external_id = 'dan'`;
  assert.deepEqual(await get(`${first.uuid}/failures/`), {
    reasons: [
      { reason: 'The receiver answered 422.', count: 2 },
      { reason: 'The receiver answered 403.', count: 1 },
    ],
    resendable: 2,
    refused: 1,
  });

  // As from a column of a file.
  await context.sql`
    update messages set content = ${context.sql.json({ variables: { order: ' 12' } })}
    where mailing_id = ${first.uuid} and state = 'UNDELIVERED'`;
  messenger.behave(answerWith(200));
  const from = messenger.deliveries.length;
  const once = { 'idempotency-key': randomUUID() };
  const again = () => post(`${first.uuid}/resend/`, { name: 'News again' }, once);
  const [one, other] = await Promise.all([again(), again()]);
  assert.deepEqual([one.status, one.body.uuid], [201, other.body.uuid]);
  const second = await over(one.body.uuid);
  assert.deepEqual(sentTo(from).sort(), ['bob', 'cid']);
  const texts = messenger.deliveries.slice(from).map(({ body }) => body.payload.message.text);
  assert.deepEqual(texts.sort(), ['Hello bob 12', 'Hello cid 12']);
  assert.equal(second.summary.counts.sent, 2);
  assert.equal((await post(`${one.body.uuid}/resend/`, { name: 'Nobody' })).status, 400);

  const found = async (query: string) =>
    (await get(`${first.uuid}/recipients/?${query}`)).results.map(
      ({ profile }: { profile: { name: string } }) => profile.name,
    );
  assert.deepEqual((await found('state=undelivered')).sort(), ['bob', 'cid', 'dan']);
  assert.deepEqual((await found('state=sent')).sort(), ['ann', 'eve']);
  assert.deepEqual(await found('search=cid'), ['cid']);
  assert.deepEqual(await found('search=cid&state=sent'), []);
  const [run] = (await get(`${first.uuid}/runs/`)).results;
  assert.partialDeepStrictEqual(run, { run: 1, planned: 5, sent: 2, undelivered: 3, stopped: 0 });
  const { results } = await get(`${first.uuid}/timeline/`);
  assert.equal(
    results.reduce((sum: number, { sent }: { sent: number }) => sum + sent, 0),
    2,
  );
});

test('the list is searched by a part of a name', async () => {
  const { count, results } = await get('?search=NEWS');
  assert.deepEqual([count, results.map(({ name }: { name: string }) => name)], [2, ['News again', 'News']]);
});

test('the lines of a list without a recipient are shown with their reasons', async () => {
  const list = { customer_filter_field: 'EXTERNAL_ID', customer_filter_array: ['stranger'] };
  const { body } = await post('', { name: 'List', text: 'Hello', ...list });
  await over(body.uuid);
  assert.deepEqual(await get(`${body.uuid}/problems/`), {
    count: 1,
    results: [{ list: 'array', line: 1, identifier: 'stranger', reason: 'Nobody is known by this.' }],
  });
});

test('another project’s mailing is not found, and operators have no access to mailings', async () => {
  const { results } = await get('?limit=1');
  const stranger = await createPartner({ after }, patchbay);
  const their = await signIn(context, { projectId: stranger.projectId });
  const operator = await signIn(context, { projectId, role: 'operator' });
  for (const path of ['', 'failures/', 'problems/', 'recipients/', 'runs/', 'timeline/']) {
    const address = `${mailings}${results[0].uuid}/${path}`;
    assert.equal((await call('GET', address, { headers: their.headers })).status, 404, path);
    assert.equal((await call('GET', address, { headers: operator.headers })).status, 403, path);
  }
});

test('a resend of an A/B test says what the rest got', async () => {
  messenger.behave(answerWith(422));
  const ab_test = { variants: [{ share: 50, text: 'Second {{name}}' }] };
  const { body: first } = await post('', { name: 'Tested', text: 'First {{name}}', ...everybody, ab_test });
  await over(first.uuid);
  await context.sql`
    insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders, variant)
    select project_id, id, created_at, '[]', '{2}', 2 from mailings where id = ${first.uuid}`;
  messenger.behave(answerWith(200));
  const from = messenger.deliveries.length;
  const { body: second } = await post(`${first.uuid}/resend/`, { name: 'Tested again' });
  await over(second.uuid);
  const texts = messenger.deliveries.slice(from).map(({ body }) => body.payload.message.text);
  assert.ok(texts.length > 0);
  assert.ok(
    texts.every((text) => text.startsWith('Second ')),
    texts.join(),
  );
});
