import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import { takeOpenings } from '../openings-store.ts';

const patchbay = await startPatchbay({ after });
const partner = await createPartner({ after }, patchbay);
const { add, hears, say, push, isOpening, setChannel } = openShop(patchbay, partner);
const { sql, clock, wake, newId } = patchbay.context;
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
  const claim = { projectId: partner.projectId, lease: newId(), now: later, leaseUntil };
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
