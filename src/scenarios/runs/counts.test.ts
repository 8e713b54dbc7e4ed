import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { openShop } from '../../../test/scenario-harness.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context, call } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { add, push, say, hears } = openShop(patchbay, partner);

async function read(name: string, path: string, query = '') {
  const { headers } = await signIn(context, { projectId, name: 'Olga' });
  const [row] = await context.sql<{ id: number }[]>`
    select id from scenarios where project_id = ${projectId} and name = ${name}`;
  return (await call('GET', `/console/api/scenarios/${row?.id}/${path}/${query}`, { headers })).body;
}

type Numbers = { step: string; came: number; left: { way: string; count: number }[]; waiting: number };

test('each step tells how many came, by which way they left, and how many wait there', async () => {
  await add('Counted', [
    { id: 'hello', type: 'message', text: 'Hello' },
    {
      id: 'ask',
      type: 'ask',
      text: 'Which?',
      check: 'choice',
      options: [{ text: 'A', next: 'a' }, { text: 'B' }],
      retry: { times: 0 },
      failed: 'lost',
    },
    { id: 'b', type: 'message', text: 'B it is', next: 'end' },
    { id: 'a', type: 'message', text: 'A it is', next: 'end' },
    { id: 'lost', type: 'message', text: 'Lost' },
    { id: 'end', type: 'end' },
  ]);
  for (const [name, word] of [
    ['ann', 'A'],
    ['bob', 'b'],
    ['cid', 'A'],
    ['dan', '?'],
    ['eve', ''],
  ] as const) {
    const { chat } = await partner.client(name);
    await push(chat, 'Counted');
    await hears(name, 2);
    if (word === '') continue;
    await say(name, word);
    await hears(name, 3);
  }
  const { steps }: { steps: Numbers[] } = await read('Counted', 'numbers');
  const told = (id: string) => {
    const found = steps.find(({ step }) => step === id);
    return (
      found && [
        found.came,
        Object.fromEntries(found.left.map(({ way, count }) => [way, count])),
        found.waiting,
      ]
    );
  };
  assert.deepEqual(told('hello'), [5, { next: 5 }, 0]);
  assert.deepEqual(told('ask'), [5, { 'options.0.next': 2, 'options.1.next': 1, failed: 1 }, 1]);
  assert.deepEqual(told('a'), [2, { next: 2 }, 0]);
  assert.deepEqual(told('end'), [4, {}, 0]);

  const { walks } = await read('Counted', 'walks');
  assert.deepEqual(
    walks.map(({ path }: { path: { step: string; way: string }[] }) =>
      path.map((move) => Object.values(move)),
    ),
    [
      [
        ['hello', ''],
        ['hello', 'next'],
        ['ask', ''],
      ],
    ],
  );
  clock.advance(3 * 24 * 60 * 60 * 1000);
  // Older days are outside the period. The runs that wait now are counted in any case.
  const { steps: later }: { steps: Numbers[] } = await read('Counted', 'numbers', '?days=3');
  assert.deepEqual(later, [{ step: 'ask', came: 0, left: [], waiting: 1 }]);
});

test('a path keeps its last moves', async () => {
  await add('Long', [
    { id: 'ask', type: 'ask', text: 'Again?' },
    { id: 'back', type: 'goto', step: 'ask' },
  ]);
  const { chat } = await partner.client('fay');
  await push(chat, 'Long');
  for (let round = 1; round <= 20; round += 1) {
    await hears('fay', round);
    await say('fay', 'on');
  }
  await hears('fay', 21);
  const [{ path }] = (await read('Long', 'walks')).walks;
  assert.equal(path.length, 60);
  assert.deepEqual(path.at(-1), { step: 'ask', way: '' });
});
