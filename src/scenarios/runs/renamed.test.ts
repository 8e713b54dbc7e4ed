import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { seedChat } from '../../../test/seed.ts';
import { transcriptOf } from '../transcript.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context, call } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { add, hears, push, settled } = openShop(patchbay, partner);
const { headers } = await signIn(context, { projectId, name: 'Olga' });

const text = (words: string) => ({ id: 'a', type: 'message', text: words });
const sourceOf = (name: string, steps: object[]) => JSON.stringify({ name, steps });

/** Publishes the next version of a scenario, under another name. */
async function rename(id: number, version: number, name: string, steps: object[]): Promise<void> {
  const body = { source: sourceOf(name, steps), version };
  const { status } = await call('PUT', `/console/api/scenarios/${id}/`, { headers, body });
  assert.equal(status, 200);
}

async function chatOf(name: string): Promise<string> {
  return seedChat(context.sql, projectId, { channelId: partner.channel.id, external_id: name });
}

test('a planned push begins its scenario under the name that this has by then', async () => {
  const steps = [text('offer')];
  const { id } = await add('Offer', steps);
  await push(await chatOf('ann'), 'Offer', {
    launch_at: new Date(clock.now().getTime() + 60_000).toISOString(),
  });
  await rename(id, 1, 'Summer offer', steps);
  await rename(id, 2, 'Winter offer', steps);
  clock.advance(60_000);
  await settled();
  assert.deepEqual(await hears('ann', 1), ['offer']);
});

test('a partner may go on with the former name of a scenario', async () => {
  const steps = [text('news')];
  const { id } = await add('News', steps);
  await rename(id, 1, 'Old news', steps);
  await push(await chatOf('bob'), 'News');
  assert.deepEqual(await hears('bob', 1), ['news']);
});

test('a scenario, and its play, goes on in another one by the former name of this', async () => {
  const { id } = await add('Bye', [text('bye')]);
  await rename(id, 1, 'Farewell', [text('farewell')]);
  const steps = [text('hello'), { id: 'on', type: 'goto', scenario: 'Bye' }];
  assert.deepEqual((await add('Hello', steps)).missing.scenarios, []);
  await push(await chatOf('cid'), 'Hello');
  assert.deepEqual(await hears('cid', 2), ['hello', 'farewell']);

  const body = { source: sourceOf('Hello', steps), script: { lines: [] } };
  const played = await call('POST', '/console/api/scenarios/play/', { headers, body });
  assert.deepEqual(transcriptOf(played.body.entries).slice(-2), ['bot:    farewell', '        (the end)']);
});

test('a former name belongs to the scenario that has it now, or had it last', async () => {
  const { id } = await add('Prices', [text('first')]);
  await rename(id, 1, 'Prices of 2025', [text('first')]);
  const second = await add('Prices', [text('second')]);
  const chat = await chatOf('dan');
  await push(chat, 'Prices');
  assert.deepEqual(await hears('dan', 1), ['second']);
  await rename(second.id, 1, 'Prices of 2026', [text('second')]);
  await push(chat, 'Prices');
  assert.deepEqual(await hears('dan', 2), ['second', 'second']);
  await rename(id, 2, 'Prices', [text('first')]);
  await push(chat, 'Prices');
  assert.deepEqual(await hears('dan', 3), ['second', 'second', 'first']);
});
