import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { holdAnswers, startMessenger } from '../../../test/stand-ins/messenger.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import { takeOpenings } from '../openings-store.ts';
import { addStarter } from '../starters.ts';

const patchbay = await startPatchbay({ after });
const partner = await createPartner({ after }, patchbay);
const { add, hears, say, push, pushIn, isOpening, setChannel } = openShop(patchbay, partner);
const { call, context } = patchbay;
const { sql, clock, wake, newId } = context;
const { projectId } = partner;
const hourMs = 3_600_000;

before(async () => {
  await add('Survey', [
    { id: 'q', type: 'ask', text: 'Colour?', keep: { variable: 'colour' } },
    { id: 'b', type: 'message', text: 'Thanks for {{colour}}' },
  ]);
  await add('Slow', [
    { id: 'w', type: 'wait', for: { hours: 1 } },
    { id: 'a', type: 'message', text: 'Slow' },
  ]);
  await add('News', [{ id: 'a', type: 'message', text: 'News' }]);
  const { id } = await add('Prices', [{ id: 'a', type: 'message', text: 'Prices' }]);
  await addStarter(context, projectId, id, { kind: 'keyword', value: 'price' });
});

/** A client who was asked for a colour, while another scenario waits before its first message, or for it. */
async function askedBefore(name: string, other: string): Promise<string> {
  const { chat } = await partner.client(name);
  await push(chat, 'Survey');
  assert.deepEqual(await hears(name, 1), ['Colour?']);
  while (await isOpening(chat)) await new Promise(setImmediate);
  if (other === 'News') await setChannel('paused');
  await push(chat, other);
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  return chat;
}

test('what a client writes when a wait before a first message ends is heard by their conversation', async () => {
  const chat = await askedBefore('ann', 'Slow');
  const later = new Date(clock.now().getTime() + hourMs);
  const leaseUntil = new Date(later.getTime() + hourMs);
  const claim = { projectId, lease: newId(), now: later, leaseUntil };
  assert.deepEqual(await takeOpenings(sql, claim, 1), { taken: 1, failed: [] });
  await say('ann', 'grey');
  // The lease lapses.
  await sql`update scenario_runs set due_at = ${clock.now()} where chat_id = ${chat}`;
  wake.wake('running');
  assert.deepEqual(await hears('ann', 2), ['Colour?', 'Thanks for grey']);
});

test(
  'what a client writes when a first message was sent is heard by their conversation',
  twoSessions,
  async () => {
    const chat = await askedBefore('bob', 'News');
    let said: Promise<void> | undefined;
    await sql.begin(async (holding) => {
      await holding`select from scenario_runs where chat_id = ${chat} for update`;
      said = say('bob', 'green');
      await somebodyWaits(sql);
      await setChannel('active');
      await hears('bob', 2);
      await somebodyWaits(sql, 2);
    });
    await said;
    assert.deepEqual(await hears('bob', 3), ['Colour?', 'News', 'Thanks for green']);
    while (await isOpening(chat)) await new Promise(setImmediate);
  },
);

/**
 * A client whose conversation makes a request for their answer, when the question of another scenario has been sent.
 * `found` lets the conversation go on. It asks again, or ends.
 */
async function askedTwice(
  name: string,
  { ends = false } = {},
): Promise<{ uuid: string; found(): Promise<void> }> {
  const shop = await startMessenger({ after });
  const { url } = shop;
  const { waits, release } = holdAnswers(shop);
  await add('Asking', [
    { id: 'q', type: 'ask', text: 'What?', keep: { variable: 'word' } },
    { id: 'r', type: 'request', url },
    { id: 'b', type: 'message', text: 'Found {{word}}', next: ends ? undefined : 'q' },
  ]);
  await add('Report', [
    { id: 'r', type: 'request', url },
    { id: 'q', type: 'ask', text: 'Why?', keep: { variable: 'reason' } },
    { id: 'b', type: 'message', text: 'Because of {{reason}}', next: 'q' },
  ]);
  const { chat } = await partner.client(name);
  await push(chat, 'Asking');
  await hears(name, 1);
  while (await isOpening(chat)) await new Promise(setImmediate);
  const uuid = await push(chat, 'Report');
  await waits();
  await say(name, 'one');
  await release();
  await waits();
  await pushIn(uuid, 'SENT');
  await hears(name, 2);
  return { uuid, found: release };
}

/** The texts of two scenarios that talk at once come in any order. */
async function hearsBoth(name: string, before: string[], after: string[]): Promise<void> {
  const heard = await hears(name, before.length + after.length);
  const isOfConversation = (text: string) => text === 'What?' || text.startsWith('Found');
  assert.deepEqual(heard.filter(isOfConversation), before);
  assert.deepEqual(
    heard.filter((text) => !isOfConversation(text)),
    after,
  );
}

test('what a client writes after a first message is heard by its scenario, also while the one before is at work', async () => {
  const { found } = await askedTwice('cleo');
  await say('cleo', 'two');
  await say('cleo', 'three');
  await found();
  const answers = ['Why?', 'Because of two', 'Why?', 'Because of three', 'Why?'];
  await hearsBoth('cleo', ['What?', 'Found one', 'What?'], answers);
});

test('a scenario hears what follows its first message, also when the one before ends', async () => {
  const { found } = await askedTwice('gail', { ends: true });
  await say('gail', 'two');
  await found();
  await hearsBoth('gail', ['What?', 'Found one'], ['Why?', 'Because of two', 'Why?']);
});

test('a keyword after a first message follows the answers to it', async () => {
  const { found } = await askedTwice('dan');
  await say('dan', 'two');
  await say('dan', 'price');
  await found();
  await hearsBoth('dan', ['What?', 'Found one', 'What?'], ['Why?', 'Because of two', 'Why?', 'Prices']);
});

test('a keyword right after a first message ends its scenario', async () => {
  const { found } = await askedTwice('elsa');
  await say('elsa', 'price');
  await found();
  await hearsBoth('elsa', ['What?', 'Found one', 'What?'], ['Why?', 'Prices']);
});

test('the conversation before hears what follows a first message that did not arrive after all', async () => {
  const { uuid, found } = await askedTwice('finn');
  await say('finn', 'two');
  const { status } = await call('POST', `/channels/${partner.channel.id}/receipts/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: { message: { uuid }, state: 'undelivered' },
  });
  assert.equal(status, 200);
  await found();
  await hearsBoth('finn', ['What?', 'Found one', 'What?'], ['Why?']);
  await found();
  assert.deepEqual((await hears('finn', 6)).slice(4), ['Found two', 'What?']);
});
