import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Invalid } from '../platform/problem.ts';
import { parseScenario } from './parse.ts';

const parse = (steps: unknown[], rest: object = {}) => parseScenario({ name: 'Test', steps, ...rest });

function problemsOf(steps: unknown[], rest: object = {}): unknown {
  try {
    parse(steps, rest);
  } catch (error) {
    if (error instanceof Invalid) return error.fields;
    throw error;
  }
  return undefined;
}

const end = { id: 'end', type: 'end' };

test('every type of step is parsed', () => {
  const scenario = parse([
    {
      id: 'message',
      type: 'message',
      image: 'https://a.test/{{x}}.png',
      text: 'Hi',
      buttons: [{ text: 'Go', next: 'end' }],
    },
    {
      id: 'ask',
      type: 'ask',
      text: '?',
      check: 'choice',
      options: [{ text: 'A', value: 'a', next: 'end' }],
      keep: { variable: 'x' },
      retry: { text: 'Again', times: 1 },
      failed: 'end',
      timeout: { after: { hours: 1 }, next: 'end' },
    },
    {
      id: 'branch',
      type: 'branch',
      cases: [{ when: { all: [{ type: 'profile_tag', tag: 'vip' }] }, next: 'end' }],
    },
    {
      id: 'set',
      type: 'set',
      variables: { y: '{{x}}', z: null },
      attributes: { city: 'Oslo' },
      add_tags: ['a'],
      remove_tags: ['b'],
    },
    { id: 'wait', type: 'wait', for: { days: 1 } },
    { id: 'until', type: 'wait', until: '2026-12-01T09:00:00Z' },
    { id: 'at', type: 'wait', at: '09:00' },
    {
      id: 'request',
      type: 'request',
      url: 'https://a.test/',
      headers: { 'X-A': 'b' },
      body: { a: ['{{x}}'] },
      keep: { y: '/a/0' },
    },
    { id: 'code', type: 'promocode', group: 'Spring', variable: 'code', empty: 'end' },
    { id: 'goto', type: 'goto', step: 'operator' },
    { id: 'operator', type: 'operator', text: 'Wait', title: 'T', team: 'S' },
    end,
  ]);
  assert.equal(scenario.steps.length, 12);
});

const message = (id: string, rest: object = {}) => ({ id, type: 'message', text: id, ...rest });

const table: [promise: string, steps: unknown[], problems: unknown][] = [
  ['a missing step', [message('a', { next: 'b' })], { steps: { a: { next: ['There is no step "b".'] } } }],
  [
    'a button to a missing step',
    [message('a', { buttons: [{ text: 'x', next: 'b' }] })],
    { steps: { a: { 'buttons.0.next': ['There is no step "b".'] } } },
  ],
  [
    'an unreachable step',
    [message('a', { next: 'end' }), message('b'), end],
    { steps: { b: { id: ['No step leads here.'] } } },
  ],
  [
    'two steps of one name',
    [message('a'), message('a')],
    { steps: { a: { id: ['There are several steps of this name.'] } } },
  ],
  [
    'a loop without an end and without the client',
    [message('a', { next: 'b' }), { id: 'b', type: 'wait', for: { days: 1 }, next: 'a' }],
    {
      steps: {
        a: { next: ['From here it goes round and round: it never ends, and never waits for the client.'] },
      },
    },
  ],
  [
    'an unknown type',
    [{ id: 'a', type: 'dance' }],
    { steps: { 0: { type: ['"dance" is not a valid choice.'] } } },
  ],
  [
    'an unknown field',
    [message('a', { nxt: 'b' })],
    { steps: { a: { nxt: ['There is no such field here.'] } } },
  ],
  [
    'an empty message',
    [{ id: 'a', type: 'message' }],
    { steps: { a: { text: ['A message needs a text, an image or a document.'] } } },
  ],
  [
    'a choice without options',
    [{ id: 'a', type: 'ask', text: '?', check: 'choice' }],
    { steps: { a: { options: ['A choice needs options.'] } } },
  ],
  [
    'a wait for nothing',
    [{ id: 'a', type: 'wait' }],
    { steps: { a: { non_field_errors: ['Exactly one of for, until, at is required.'] } } },
  ],
  [
    'a wait of no length',
    [{ id: 'a', type: 'wait', for: {} }],
    { steps: { a: { for: ['Say how long: seconds, minutes, hours, days.'] } } },
  ],
  [
    'a wait until no moment',
    [{ id: 'a', type: 'wait', until: 'soon' }],
    { steps: { a: { until: ['Enter a moment in ISO 8601 with a zone.'] } } },
  ],
  [
    'a reserved header',
    [{ id: 'a', type: 'request', url: 'https://a.test', headers: { Host: 'x' } }],
    { steps: { a: { headers: ['Host is set by Patchbay.'] } } },
  ],
  [
    'a promo code in a field without codes',
    [{ id: 'a', type: 'set', variables: { x: '{{promocode:Spring}}' } }],
    { steps: { a: { variables: ['No promo code is taken here.'] } } },
  ],
  [
    'a question that would take a promo code for every wrong answer',
    [{ id: 'a', type: 'ask', text: '{{promocode:Spring}}', check: 'number' }],
    {
      steps: {
        a: { retry: { text: ['A question that takes a promo code is asked again in other words.'] } },
      },
    },
  ],
  [
    'an unknown nested field',
    [{ id: 'a', type: 'wait', for: { hour: 1 } }],
    { steps: { a: { for: { hour: ['There is no such field here.'] } } } },
  ],
  [
    'a request that cannot be made, and a part of its answer that cannot be found',
    [{ id: 'a', type: 'request', url: 'a.test', headers: { 'X A': 'x' }, keep: { x: 'items/0' } }],
    {
      steps: {
        a: {
          url: ['Enter a valid URL.'],
          headers: ['"X A" is no name of a header.'],
          keep: { x: ['A JSON Pointer begins with a slash, as in "/items/0/name".'] },
        },
      },
    },
  ],
  ['a start at a missing step', [end], { start: ['There is no step "x".'] }],
];

for (const [promise, steps, problems] of table) {
  test(`${promise} is refused by name`, () => {
    assert.deepEqual(problemsOf(steps, promise.startsWith('a start') ? { start: 'x' } : {}), problems);
  });
}

test('an invalid filter is refused under its case', () => {
  const problems = problemsOf([
    { id: 'a', type: 'branch', cases: [{ when: { some: [] }, next: 'end' }] },
    end,
  ]);
  assert.match(JSON.stringify(problems), /^\{"steps":\{"a":\{"cases":\{"0":\{"when":\["/);
});

test('too many steps or bytes are refused', () => {
  const many = Array.from({ length: 501 }, (_, index) => message(`s${index}`));
  assert.deepEqual(problemsOf(many), { steps: ['Ensure this field has no more than 500 elements.'] });
  const large = Array.from({ length: 100 }, (_, index) => message(`s${index}`, { text: 'x'.repeat(4000) }));
  assert.deepEqual(problemsOf(large), { non_field_errors: ['A scenario may have at most 256 KiB.'] });
});

test('a menu that loops through the client is valid', () => {
  parse([{ id: 'menu', type: 'ask', text: 'What next?' }, message('again', { next: 'menu' })]);
});

test('what the canvas keeps of positions and comments is stored as it is', () => {
  const canvas = { positions: { end: [10, 20] }, notes: { 'note-1': { text: 'Ask Ann', at: [0, 0] } } };
  assert.deepEqual(parse([end], { canvas }).canvas, canvas);
  assert.deepEqual(problemsOf([end], { canvas: 'wide' }), {
    canvas: ['Expected a dictionary of items but got type "str".'],
  });
});
