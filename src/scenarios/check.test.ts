import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkScenario } from './check.ts';

const pointers = (value: unknown) => checkScenario(value).complaints.map(({ pointer }) => pointer);
const hello = { id: 'hello', type: 'message', text: 'Hello' };

test('every complaint points to its place in the file', () => {
  const cases: [value: unknown, pointers: string[]][] = [
    [{ steps: [hello] }, ['/name']],
    [{ name: 'A', steps: [hello, { id: '0', type: 'dance' }] }, ['/steps/1/type']],
    [{ name: 'A', start: 'b', steps: [hello] }, ['/start']],
    [{ name: 'A', steps: [hello, { id: '0', type: 'ask' }] }, ['/steps/1/text']],
    [{ name: 'A', steps: [hello, hello] }, ['/steps/1/id']],
    [
      { name: 'A', steps: [{ ...hello, buttons: [{ text: 'x' }, { text: 'y', next: 'no' }] }] },
      ['/steps/0/buttons/1/next'],
    ],
    [
      {
        name: 'A',
        steps: [hello, { id: 'call', type: 'request', url: 'https://a.test', keep: { 'a/b.c': 'x' } }],
      },
      ['/steps/1/keep/a~1b.c'],
    ],
    [{ name: 'A', steps: [{ id: 'w', type: 'wait' }] }, ['/steps/0']],
    [[], ['']],
  ];
  for (const [value, expected] of cases) assert.deepEqual(pointers(value), expected, JSON.stringify(value));
});

test('a valid scenario lists the objects that it names', () => {
  const { complaints, uses } = checkScenario({
    name: 'A',
    steps: [
      { ...hello, text: '{{promocode:Spring}}' },
      { id: 'on', type: 'goto', scenario: 'B' },
    ],
  });
  assert.deepEqual(complaints, []);
  assert.deepEqual(uses, { promocode_groups: ['Spring'], scenarios: ['B'], attributes: [], tags: [] });
});
