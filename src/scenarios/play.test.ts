import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Invalid } from '../platform/problem.ts';
import { parseScenario } from './parse.ts';
import { play } from './play.ts';
import { parseScript } from './script.ts';

const shop = parseScenario({
  name: 'Shop',
  steps: [
    {
      id: 'ask',
      type: 'ask',
      text: 'Size?',
      check: 'choice',
      options: [{ text: 'M', value: 'm' }],
      keep: { attribute: 'size' },
    },
    {
      id: 'stock',
      type: 'request',
      url: 'https://a.test/{{attrs.size}}',
      keep: { left: '/left' },
      failed: 'sorry',
    },
    { id: 'tell', type: 'message', text: '{{left}} left: {{promocode:Spring}}' },
    { id: 'wait', type: 'wait', for: { hours: 2 } },
    { id: 'on', type: 'goto', scenario: 'Bye' },
    { id: 'sorry', type: 'operator', title: 'Help' },
  ],
});
const bye = parseScenario({ name: 'Bye', steps: [{ id: 'bye', type: 'message', text: 'Bye, {{left}}' }] });

const playing = (lines: unknown[], rest: object = {}) =>
  play([shop, bye], parseScript({ promocodes: { Spring: ['S1'] }, lines, ...rest }));

const before = [
  { press: 'm' },
  { expect: { request: { url: 'https://a.test/m', method: 'GET' }, attributes: { size: 'm' } } },
];

test('a scenario is played to its end, through another one, and reported line by line', () => {
  const { transcript, failures } = playing([
    { expect: { message: { text: 'Size?', buttons: [{ text: 'M' }] } } },
    ...before,
    { answer: { body: { left: 3 } } },
    { expect: '3 left: S1' },
    { expect: { variables: { left: 3 } } },
    { client: 'hello?' },
    { wait: { hours: 1, minutes: 59 } },
    { wait: { minutes: 1 } },
    { expect: 'Bye, 3' },
    { expect: { end: true } },
  ]);
  assert.deepEqual(failures, []);
  assert.deepEqual(transcript, [
    'bot:    Size? [M]',
    'client: [M]',
    '        (profile: {"attributes":{"size":"m"},"addTags":[],"removeTags":[]})',
    '        (request: GET https://a.test/m)',
    'bot:    3 left: S1',
    'client: hello?',
    '        (nobody asked)',
    '        (2026-01-01T11:00:00.000Z)',
    '        (on to: Bye)',
    'bot:    Bye, 3',
    '        (the end)',
  ]);
});

const mismatches: [promise: string, lines: unknown[], failure: RegExp][] = [
  ['another text', [{ expect: 'Colour?' }], /^Line 1: Expected \{"text":"Colour\?"\}, but it was .*Size\?/],
  ['no message', [{ expect: 'Size?' }, { expect: 'More?' }], /^Line 2: Expected message .*there was none/],
  ['no such button', [{ press: 'XL' }], /^Line 1: The last message has no button "XL"/],
  ['nothing to answer', [{ answer: null }], /^Line 1: There is no request to answer/],
  [
    'another variable',
    [...before, { answer: { body: { left: 3 } } }, { expect: { variables: { left: 4 } } }],
    /^Line 4: Expected \{"left":4\}/,
  ],
  ['a missing tag', [{ expect: { tags: ['vip'] } }], /^Line 1: Expected \["vip"\]/],
];

for (const [promise, lines, failure] of mismatches) {
  test(`a failed expectation is reported: ${promise}`, () => {
    const [first = ''] = playing(lines).failures;
    assert.match(first, failure);
  });
}

test('a failed request follows its own step, and a failed scenario fails the script unless expected', () => {
  assert.deepEqual(
    playing([...before, { answer: { status: 500 } }, { expect: { operator: { title: 'Help' } } }]).failures,
    [],
  );
  const dry = [...before, { answer: { body: { left: 1 } } }];
  assert.match(
    playing(dry, { promocodes: {} }).failures[0] ?? '',
    /^The scenario failed: There is no code left/,
  );
  const expected = { expect: { failure: 'There is no code left of the promo codes "Spring".' } };
  assert.deepEqual(playing([...dry, expected], { promocodes: {} }).failures, []);
});

test('an impossible client is refused', () => {
  for (const [wrong, place] of [
    [{ profile: { tags: 5 } }, 'profile'],
    [{ profile: { timezone: 'Mars' } }, 'profile.timezone'],
    [{ chat: { variables: [] } }, 'chat'],
  ] as const) {
    assert.throws(
      () => parseScript({ ...wrong, lines: [] }),
      ({ fields }) => place in fields,
    );
  }
});

test('an invalid line is refused', () => {
  assert.throws(() => parseScript({ lines: [{}] }), {
    fields: { 'lines.0': ['A line is one of client, press, wait, answer, expect.'] },
  });
});

test('a script’s client lives in a time zone that a profile may have', () => {
  for (const timezone of ['+03:00', 'PST', 'Europe/Nowhere']) {
    assert.throws(() => parseScript({ profile: { timezone }, lines: [] }), Invalid, timezone);
  }
  assert.doesNotThrow(() => parseScript({ profile: { timezone: 'Europe/Oslo' }, lines: [] }));
});
