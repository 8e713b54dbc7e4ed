import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { holdAnswers, startMessenger } from '../../../test/stand-ins/messenger.ts';
import { addTag } from '../../clients/profiles/dictionary.ts';
import type { Claim } from '../claim-store.ts';
import { giveBack } from '../displaced-store.ts';
import { takeEventStarts } from '../event-starts-store.ts';
import { addStarter } from '../starters.ts';
import { takeStarts } from '../starts-store.ts';

const patchbay = await startPatchbay({ after });
const partner = await createPartner({ after }, patchbay);
const { add, hears, say, push, isOpening } = openShop(patchbay, partner);
const { context, call } = patchbay;
const { sql, clock, wake, newId } = context;
const { projectId } = partner;

before(async () => {
  await add('Survey', [
    { id: 'q', type: 'ask', text: 'Colour?', keep: { variable: 'colour' } },
    { id: 'b', type: 'message', text: 'Thanks for {{colour}}' },
  ]);
  await add('Talk', [
    { id: 'q', type: 'ask', text: 'Well?', keep: { variable: 'word' } },
    { id: 'b', type: 'message', text: 'So {{word}}', next: 'q' },
  ]);
  for (const [name, keyword] of [
    ['Prices', 'price'],
    ['Order', 'order'],
  ] as const) {
    const { id } = await add(name, [
      { id: 'q', type: 'ask', text: `${name}?`, keep: { variable: 'answer' } },
      { id: 'b', type: 'message', text: `${name} of {{answer}}`, next: 'q' },
    ]);
    await addStarter(context, projectId, id, { kind: 'keyword', value: keyword });
  }
  await addTag(context, { projectId, name: 'vip' });
  const { id } = await add('Vip', [{ id: 'a', type: 'message', text: 'Vip' }]);
  await addStarter(context, projectId, id, { kind: 'tag_added', value: 'vip' });
});

/** A client who talks to a scenario, while its worker is late: what is said now waits. */
async function talking(name: string, scenario: string) {
  const { chat, profile } = await partner.client(name);
  await push(chat, scenario);
  await hears(name, 1);
  while (await isOpening(chat)) await new Promise(setImmediate);
  const later = new Date(clock.now().getTime() + 3_600_000);
  while (
    (await sql`
      update scenario_runs set lease = ${newId()}, due_at = ${later}
      where chat_id = ${chat} and status = 'running' and lease is null returning 1`.count()) === 0
  )
    await new Promise(setImmediate);
  const goOn = async () => {
    await sql`update scenario_runs set due_at = ${clock.now()} where chat_id = ${chat}`;
    wake.wake('running');
  };
  return { goOn, profile };
}

async function tag(profile: string): Promise<void> {
  const { status } = await call('PUT', `/api/partners/profiles/${profile}/`, {
    headers: partner.key,
    body: { tags: ['vip'] },
  });
  assert.equal(status, 200);
  wake.wake('running');
}

const claimAt = (now: Date): Claim => ({
  projectId,
  lease: newId(),
  now,
  leaseUntil: new Date(now.getTime() + 5_000),
});

const chatOf = async (name: string): Promise<string> => (await partner.client(name)).chat;

test('what a client writes before a keyword is answered by the scenario before', async () => {
  const { goOn } = await talking('ann', 'Talk');
  for (const text of ['one', 'two', 'price', 'three']) await say('ann', text);
  await goOn();
  const heard = ['Well?', 'So one', 'Well?', 'So two', 'Well?', 'Prices?', 'Prices of three', 'Prices?'];
  assert.deepEqual(await hears('ann', heard.length), heard);
});

test('a keyword starts its scenario when the answer before it has ended another one', async () => {
  const { goOn } = await talking('bob', 'Survey');
  for (const text of ['blue', 'so it is', 'price', 'order', 'mine']) await say('bob', text);
  await goOn();
  const heard = ['Colour?', 'Thanks for blue', 'Prices?', 'Order?', 'Order of mine', 'Order?'];
  assert.deepEqual(await hears('bob', heard.length), heard);
});

/** A scenario that makes a request for each answer. `release` lets one go, when it has come. */
async function asking() {
  const shop = await startMessenger({ after });
  const { waits: made, release } = holdAnswers(shop);
  await add('Asking', [
    { id: 'q', type: 'ask', text: 'Yes?', keep: { variable: 'word' } },
    { id: 'r', type: 'request', url: shop.url },
    { id: 'b', type: 'message', text: 'Found {{word}}', next: 'q' },
  ]);
  await add('Request', [
    { id: 'r', type: 'request', url: shop.url },
    { id: 'b', type: 'message', text: 'Asked' },
  ]);
  return { made, release };
}

test('a keyword waits for a request that the scenario before makes for an answer', async () => {
  const { made, release } = await asking();
  const { goOn } = await talking('dora', 'Asking');
  for (const text of ['one', 'two', 'price']) await say('dora', text);
  await goOn();
  await release();
  await hears('dora', 3);
  await made();
  await say('dora', 'three');
  await release();
  const heard = ['Yes?', 'Found one', 'Yes?', 'Found two', 'Yes?', 'Prices?', 'Prices of three', 'Prices?'];
  assert.deepEqual(await hears('dora', heard.length), heard);
});

test('a push waits for a request that the scenario before makes for an answer', async () => {
  const { made, release } = await asking();
  const { goOn } = await talking('emil', 'Asking');
  await say('emil', 'one');
  await goOn();
  await made();
  await push(await chatOf('emil'), 'Vip');
  assert.equal(await takeStarts(sql, claimAt(clock.now()), 1, newId), 0);
  await release();
  const heard = await hears('emil', 4);
  assert.deepEqual(
    heard.filter((text) => text !== 'Yes?'),
    ['Found one', 'Vip'],
  );
});

/** A client whose conversation a push's scenario has displaced, which makes a request. */
async function displaced(name: string, scenario: string) {
  const { made, release } = await asking();
  const { goOn, profile } = await talking(name, scenario);
  await goOn();
  await push(await chatOf(name), 'Request');
  await made();
  return { profile, release };
}

test('a keyword waits for the conversation that comes back when a push’s scenario makes a request', async () => {
  const { release } = await displaced('fay', 'Survey');
  for (const text of ['one', 'price', 'three']) await say('fay', text);
  await release();
  const heard = await hears('fay', 6);
  assert.deepEqual(
    heard.filter((text) => text !== 'Asked'),
    ['Colour?', 'Thanks for one', 'Prices?', 'Prices of three', 'Prices?'],
  );
});

test('a change waits for a push’s scenario that makes a request, and the conversation comes back', async () => {
  const { profile, release } = await displaced('gus', 'Survey');
  await say('gus', 'one');
  await tag(profile);
  assert.equal(
    await takeEventStarts(sql, claimAt(clock.now()), { free: 1, platforms: ['API_Messenger'] }, newId),
    0,
  );
  await release();
  const heard = await hears('gus', 4);
  assert.deepEqual(
    heard.filter((text) => text !== 'Asked'),
    ['Colour?', 'Thanks for one', 'Vip'],
  );
});

test('a keyword between two pushes starts its scenario, and each push begins its own', async () => {
  const { release } = await displaced('hal', 'Talk');
  await say('hal', 'price');
  await push(await chatOf('hal'), 'Vip');
  await release();
  const heard = await hears('hal', 4);
  assert.deepEqual(heard.toSorted(), ['Asked', 'Prices?', 'Vip', 'Well?']);
});

test('what a client writes before a change is answered before the scenario of that change begins', async () => {
  const { goOn, profile } = await talking('cid', 'Survey');
  await say('cid', 'green');
  await tag(profile);
  await goOn();
  assert.deepEqual(await hears('cid', 3), ['Colour?', 'Thanks for green', 'Vip']);
});

test('a conversation that paused for a session goes on as soon as its chat comes back', async () => {
  await talking('ira', 'Survey');
  const chat = await chatOf('ira');
  const now = clock.now();
  await sql.begin(async (transaction) => {
    // The pause was an hour, so that it cannot have ended.
    await transaction`
      update scenario_runs set displaced = to_jsonb(scenario_runs) where project_id = ${projectId} and chat_id = ${chat}`;
    await giveBack(transaction, [{ project_id: projectId, chat_id: chat }], now);
    const [row] = await transaction`select due_at from scenario_runs where chat_id = ${chat}`;
    assert.deepEqual(row?.due_at, now);
  });
});
