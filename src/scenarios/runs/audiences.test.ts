import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { openShop } from '../../../test/scenario-harness.ts';

const patchbay = await startPatchbay({ after });
const partner = await createPartner({ after }, patchbay);
const { add, hears, push, settled } = openShop(patchbay, partner);
const { call, context } = patchbay;
const { headers } = await signIn(context, { projectId: partner.projectId });
const root = '/console/api/audiences/';

const tagged = (tag: string) => ({ all: [{ type: 'profile_tag', tag }] });
const save = async (name: string, filter: object): Promise<string> => {
  const made = await call('POST', root, { headers, body: { name, filter_chats: filter } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.uuid;
};
const change = (uuid: string, body: object) => call('PUT', `${root}${uuid}/`, { headers, body });

const steps = (audience: string) => [
  { id: 'who', type: 'branch', cases: [{ when: { audience }, next: 'in' }], next: 'out' },
  { id: 'in', type: 'message', text: 'You are in', next: 'end' },
  { id: 'out', type: 'message', text: 'You are out' },
  { id: 'end', type: 'end' },
];

async function client(name: string, tags: string[]) {
  const known = await partner.client(name);
  await context.sql`update profiles set tags = ${tags} where id = ${known.profile}`;
  return known.chat;
}

const vip = await client('ann', ['vip']);
const other = await client('bob', []);
const uuid = await save('Best', tagged('vip'));
await add('Audience', steps('Best'));

test('a branch follows a saved audience by its name, with the filter that it has now', async () => {
  await push(vip, 'Audience');
  await push(other, 'Audience');
  assert.deepEqual(await hears('ann', 1), ['You are in']);
  assert.deepEqual(await hears('bob', 1), ['You are out']);
  assert.equal((await change(uuid, { name: 'Best', filter_chats: { all: [] } })).status, 204);
  await push(other, 'Audience');
  assert.deepEqual(await hears('bob', 2), ['You are out', 'You are in']);
  await change(uuid, { name: 'Best', filter_chats: tagged('vip') });
});

test('an audience that a scenario names is neither deleted nor renamed, and its page names the scenario', async () => {
  const refused = { detail: 'A scenario uses this audience by its name: "Audience".' };
  const removed = await call('DELETE', `${root}${uuid}/`, { headers });
  assert.deepEqual([removed.status, removed.body], [400, refused]);
  const renamed = await change(uuid, { name: 'Better', filter_chats: tagged('vip') });
  assert.deepEqual([renamed.status, renamed.body], [400, refused]);
  assert.deepEqual((await call('GET', `${root}${uuid}/`, { headers })).body.scenarios, ['Audience']);
  await add('Audience', [{ id: 'a', type: 'message', text: 'Everybody' }]);
  await settled();
  assert.equal((await change(uuid, { name: 'Better', filter_chats: tagged('vip') })).status, 204);
  assert.equal((await call('DELETE', `${root}${uuid}/`, { headers })).status, 204);
});

test('a chat that still follows an earlier version keeps the audience of that version', async () => {
  const kept = await save('Kept', tagged('vip'));
  await add('Long', [{ id: 'q', type: 'ask', text: 'Well?', keep: { variable: 'a' } }, ...steps('Kept')]);
  await push(vip, 'Long');
  await hears('ann', 2);
  await add('Long', [{ id: 'a', type: 'message', text: 'Everybody' }]);
  assert.equal((await call('DELETE', `${root}${kept}/`, { headers })).status, 400);
});

test('an audience that is not there matches nobody, and the check of the scenario names it', async () => {
  await add('Nobody', steps('Gone'));
  await push(other, 'Nobody');
  assert.equal((await hears('bob', 3))[2], 'You are out');
  const source = JSON.stringify({ name: 'Nobody', steps: steps('Gone') });
  const { body } = await call('POST', '/console/api/scenarios/check/', { headers, body: { source } });
  assert.deepEqual([body.complaints, body.missing.audiences], [[], ['Gone']]);
});

test('the player of the console follows the audience too', async () => {
  await save('Played', tagged('vip'));
  const source = JSON.stringify({ name: 'Play', steps: steps('Played') });
  const said = async (tags: string[]) => {
    const { body } = await call('POST', '/console/api/scenarios/play/', {
      headers,
      body: { source, script: { profile: { tags }, lines: [] } },
    });
    return body.entries.map(({ text }: { text?: string }) => text)[0];
  };
  assert.deepEqual([await said(['vip']), await said([])], ['You are in', 'You are out']);
});
