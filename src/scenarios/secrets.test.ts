import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance } from './engine.ts';
import { parseScenario } from './parse.ts';
import { play } from './play.ts';
import { factsOf } from './play-state.ts';
import { CannotRequest, requestOf, type Secrets } from './request.ts';
import { parseScript } from './script.ts';
import { beginning } from './state.ts';

const scenario = parseScenario({
  name: 'Order',
  steps: [
    {
      id: 'call',
      type: 'request',
      url: '{{where}}/orders',
      headers: { authorization: 'Bearer {{secret:CRM}}' },
      body: { key: '{{ secret:CRM }}', said: '{{said}}' },
    },
  ],
});
const now = new Date('2026-11-20T12:00:00.000Z');
const facts = factsOf(parseScript({ lines: [] }), now);

function asking(where: string, secrets?: Secrets) {
  const said = '{{secret:CRM}}';
  const { state } = advance(
    scenario,
    beginning({ where, said }),
    { type: 'started' },
    { now, facts, isOpening: false },
  );
  return requestOf(scenario, state, facts, secrets);
}

const crm: Secrets = new Map([['CRM', { host: 'crm.test', value: 'hush' }]]);

test('a secret fills headers and body of a request to its host, and a client’s text cannot ask for one', () => {
  const request = asking('https://crm.test', crm);
  assert.equal(request?.headers.authorization, 'Bearer hush');
  assert.deepEqual(JSON.parse(request?.body ?? ''), { key: 'hush', said: '{{secret:CRM}}' });
});

test('a secret goes to no other host, however the address is built', () => {
  for (const where of [
    'https://evil.test',
    'https://crm.test:8443',
    'https://crm.test.evil.test',
    'https://crm.test@evil.test',
  ]) {
    assert.throws(() => asking(where, crm), CannotRequest, where);
  }
  assert.throws(() => asking('https://crm.test', new Map()), CannotRequest);
});

test('a play shows the name of a secret in its place', () => {
  const { entries, effects } = play(
    [scenario],
    parseScript({ params: { where: 'https://crm.test', said: 'x' }, lines: [] }),
  );
  assert.equal(entries[0]?.what, 'request');
  assert.match(JSON.stringify(effects), /Bearer \{\{secret:CRM\}\}/);
});

test('a secret is refused in any other field', () => {
  const places: [step: object, field: string][] = [
    [{ id: 'a', type: 'message', text: '{{secret:CRM}}' }, 'text'],
    [{ id: 'a', type: 'set', variables: { x: '{{secret:CRM}}' } }, 'variables'],
    [{ id: 'a', type: 'request', url: 'https://crm.test/?key={{secret:CRM}}' }, 'url'],
  ];
  for (const [step, field] of places) {
    const complaint = 'A secret stands in the headers and the body of a request, and nowhere else.';
    assert.throws(() => parseScenario({ name: 'X', steps: [step] }), {
      fields: { steps: { a: { [field]: [complaint] } } },
    });
  }
});
