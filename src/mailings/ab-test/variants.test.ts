import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedMailing, seedMailingMessages, textVariant } from '../../../test/mailing.ts';
import { signIn } from '../../../test/person.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { linkTokens } from '../link-token.ts';
import { countsByVariant } from './counts-store.ts';

/** Source: docs/contract.md, section 5. */

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId, messenger, key } = partner;
const { headers } = await signIn(context, { projectId });
const { add, hears } = openShop(patchbay, partner);
const [ann, bob] = [await partner.client('ann'), await partner.client('bob')];
const counts = (id: string) => countsByVariant(sql, projectId, id, 2);
const statistics = async (id: string) =>
  (await call('GET', `/api/partners/mailings/${id}/`, { headers: key })).body.statistics;

test('a variant has its own text and links, and its reactions are its own', async () => {
  const id = await seedMailing(sql, projectId, { text: 'One https://shop.test/one' });
  const other = textVariant(50, 'Two https://shop.test/two', ['https://shop.test/two']);
  await sql`update mailings set ab_test = ${sql.json({ variants: [other], sample: null })} where id = ${id}`;
  const ids = await sql.begin((transaction) =>
    seedMailingMessages(transaction, projectId, id, [
      { chat: ann.chat, variant: 1 },
      { chat: bob.chat, variant: 2 },
    ]),
  );
  context.wake.wake('sending');
  const received = await messenger.received(2);
  const said = new Map(received.map(({ body }) => [body.payload.message.uuid, body.payload.message.text]));
  assert.deepEqual(
    ids.map((message) => String(said.get(message)).slice(0, 4)),
    ['One ', 'Two '],
  );
  while ((await statistics(id)).count_sent < 2);

  const tokens = linkTokens(context.config.secretKey);
  const [, second = ''] = ids;
  const token = tokens.make({ projectId, messageId: second, index: 0 });
  const followed = await call('GET', `/l/${token}/`);
  assert.equal(followed.headers.get('location'), 'https://shop.test/two');
  const report = { key: 'order-1', chat: { uuid: bob.chat } };
  assert.equal(
    (await call('POST', '/api/partners/conversions/', { headers: key, body: report })).status,
    201,
  );

  const right = await counts(id);
  assert.deepEqual(
    right.map(({ planned, sent, jumped, converted }) => [planned, sent, jumped, converted]),
    [
      [1, 1, 0, 0],
      [1, 1, 1, 1],
    ],
  );
  const { count_planned, count_sent, count_jumped_url, count_converted } = await statistics(id);
  assert.deepEqual([count_planned, count_sent, count_jumped_url, count_converted], [2, 2, 1, 1]);

  // A recount gives each variant what its messages say.
  await sql`update mailing_counts set sent = sent + 5 where mailing_id = ${id} and variant = 1`;
  await sql`select add_to_mailing_counts(${projectId}, ${id}, array[3, 0, 0, 0, 0, 0, 0, 0, 0])`;
  await call('POST', `/api/partners/mailings/${id}/calculate/`, { headers: key });
  assert.deepEqual(await counts(id), right);
  assert.equal((await statistics(id)).count_planned, 2);
});

test('a variant has its own scenario', async () => {
  await add('One', [{ id: 'a', type: 'message', text: 'First {{name}}' }]);
  await add('Two', [{ id: 'a', type: 'message', text: 'Second {{word}}' }]);
  const names = ['eve', 'fay', 'gus', 'hal', 'ida', 'jan'];
  const chats = new Map<string, string>();
  for (const name of names) chats.set(name, (await partner.client(name)).chat);
  const other = { share: 50, node_name: 'Two', node_get_params: [{ name: 'word', value: 'tea' }] };
  const { status, body } = await call('POST', '/console/api/mailings/', {
    headers: { ...headers, 'idempotency-key': context.newId() },
    body: {
      name: 'Scenarios',
      node_name: 'One',
      customer_filter_field: 'CHAT_UUID',
      customer_filter_array: [...chats.values()],
      ab_test: { variants: [other] },
    },
  });
  assert.equal(status, 201, JSON.stringify(body));
  for (const name of names) {
    const heard = await hears(name, 1);
    const [message] = await sql`
      select variant from messages where mailing_id = ${body.uuid} and chat_id = ${chats.get(name) ?? null}`;
    assert.deepEqual(heard, [message?.variant === 1 ? `First ${name}` : 'Second tea']);
  }
});
