import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Facts } from '../clients/filters/facts.ts';
import { TooMuchWork } from '../clients/filters/work.ts';
import type { JsonValue } from '../platform/http/fields.ts';
import { advance } from './engine.ts';
import { CannotRequest, requestOf } from './request.ts';
import type { Scenario, Step } from './schema.ts';
import { type Action, beginning, type Event, type State } from './state.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

const factsWith = (profile: Partial<Facts['profile']> = {}): Facts => ({
  chat: {
    uuid: 'c',
    platform: 'Widget',
    name: 'ann_92',
    username: null,
    phone: null,
    created_at: '2026-11-20T12:00:00.000Z',
    variables: { city: 'Oslo' },
  },
  profile: {
    uuid: 'p',
    external_id: null,
    phone_number: null,
    email: null,
    name: 'Ann',
    timezone: null,
    pda_agreed: null,
    created_at: '2026-11-20T12:00:00.000Z',
    tags: ['vip'],
    attrs: {},
    ...profile,
  },
});

const started: Event = { type: 'started' };
const says = (text: string, payload: string | null = null): Event => ({ type: 'message', text, payload });

/** The state after the events, and every action on the way. */
function run(
  steps: Step[],
  events: Event[],
  {
    params = {},
    facts = factsWith(),
    isOpening = false,
  }: { params?: State['variables']; facts?: Facts; isOpening?: boolean } = {},
): { state: State; actions: Action[]; texts: (string | null)[] } {
  let state = beginning(params);
  const actions: Action[] = [];
  for (const event of [started, ...events]) {
    const advanced = advance({ name: 'Test', steps }, state, event, { now, facts, isOpening });
    state = advanced.state;
    actions.push(...advanced.actions);
  }
  const texts = actions.flatMap((action) => (action.type === 'message' ? [action.text] : []));
  return { state, actions, texts };
}

const message = (id: string, text: string, next?: string): Step => ({ id, type: 'message', text, next });

test('a text is filled from the run’s variables, and then from the facts about the client', () => {
  const { texts } = run([message('a', '{{name}} {{city}} {{order}} {{attrs.x}}.')], [], {
    params: { city: 'Rome', order: 7 },
  });
  assert.deepEqual(texts, ['Ann Rome 7 .']);
});

type Check = NonNullable<Extract<Step, { type: 'ask' }>['check']>;

const answers: [check: Check, good: [string, JsonValue][], bad: string[]][] = [
  ['text', [[' blue ', 'blue']], ['', '  ']],
  [
    'number',
    [
      ['7', 7],
      ['-1,5', -1.5],
      ['1 200', 1200],
    ],
    ['seven', '1e9', '7 dwarfs', '--1', ''],
  ],
  ['phone', [['+1 202 555 0143', '+12025550143']], ['none', '12']],
  ['email', [['a@b.test', 'a@b.test']], ['a@b', 'a b@c.test', '@b.test']],
  [
    'date',
    [
      ['2026-02-28', '2026-02-28'],
      ['1.3.2026', '2026-03-01'],
    ],
    ['2026-02-30', '31/11/2026', 'tomorrow'],
  ],
];

for (const [check, good, bad] of answers) {
  test(`an answer that is no ${check} is asked for again, and a valid one is stored`, () => {
    const ask: Step = { id: 'ask', type: 'ask', text: '?', check, keep: { variable: 'x' } };
    for (const [text, value] of good) assert.equal(run([ask], [says(text)]).state.variables.x, value, text);
    for (const text of bad) assert.deepEqual(run([ask], [says(text)]).texts, ['?', '?'], text);
  });
}

test('a choice accepts its button, its words in any case and its value; each option leads to its own step', () => {
  const ask: Step = {
    id: 'ask',
    type: 'ask',
    text: '?',
    check: 'choice',
    options: [{ text: 'Yes', value: 'y', next: 'good' }, { text: 'No' }],
    keep: { variable: 'x', attribute: 'likes' },
  };
  const steps = [
    ask,
    message('bad', 'bad', 'end'),
    message('good', 'good'),
    { id: 'end', type: 'end' } as const,
  ];
  for (const event of [says('Yes', 'y'), says('yes'), says('Y'), says('whatever', 'Yes')]) {
    const { texts, state, actions } = run(steps, [event]);
    assert.deepEqual([texts[1], state.variables.x], ['good', 'y']);
    assert.deepEqual(actions[1], {
      type: 'profile',
      attributes: { likes: 'y' },
      addTags: [],
      removeTags: [],
    });
  }
  assert.equal(run(steps, [says('NO')]).texts[1], 'bad');
});

test('after too many wrong answers the run follows the failure step', () => {
  const ask: Step = {
    id: 'ask',
    type: 'ask',
    text: '?',
    check: 'number',
    retry: { text: 'A number!', times: 1 },
    failed: 'b',
  };
  const steps = [ask, message('a', 'a'), message('b', 'b')];
  assert.deepEqual(run(steps, [says('x'), says('y')]).texts, ['?', 'A number!', 'b']);
  assert.deepEqual(run(steps, [says('x'), says('1')]).texts, ['?', 'A number!', 'a', 'b']);
});

test('a question without an answer times out, and wrong answers do not extend the time', () => {
  const ask: Step = {
    id: 'ask',
    type: 'ask',
    text: '?',
    check: 'number',
    timeout: { after: { hours: 1 }, next: 'late' },
  };
  const steps = [ask, message('a', 'a', 'end'), message('late', 'late'), { id: 'end', type: 'end' } as const];
  const { state } = run(steps, [says('x')]);
  assert.deepEqual(state.at, {
    kind: 'waiting',
    step: 'ask',
    for: { what: 'client', until: '2026-11-20T13:00:00.000Z' },
  });
  assert.deepEqual(run(steps, [{ type: 'timer' }]).texts, ['?', 'late']);
});

test('a branch sees variables, tags and values that were just set', () => {
  const steps: Step[] = [
    {
      id: 'set',
      type: 'set',
      variables: { size: '{{given}}' },
      attributes: { city: 'Bergen' },
      add_tags: ['new'],
      remove_tags: ['vip'],
    },
    {
      id: 'branch',
      type: 'branch',
      cases: [
        { when: { any: [{ type: 'profile_tag', tag: 'vip' }] }, next: 'old' },
        {
          when: {
            all: [
              { type: 'attribute', size__gt: 40 },
              { type: 'profile_attribute', city: 'Bergen' },
              { type: 'profile_tag', tag: 'new' },
            ],
          },
          next: 'all',
        },
      ],
    },
    message('else', 'else', 'end'),
    message('old', 'old', 'end'),
    message('all', 'all'),
    { id: 'end', type: 'end' },
  ];
  assert.deepEqual(run(steps, [], { params: { given: '41' } }).texts, ['all']);
  assert.deepEqual(run(steps, [], { params: { given: '39' } }).texts, ['else']);
});

test('a wait ends after its time, at its moment, or at the client’s local time of day', () => {
  const until = (step: Omit<Extract<Step, { type: 'wait' }>, 'id' | 'type'>, facts = factsWith()) => {
    const { at } = run([{ id: 'w', type: 'wait', ...step }], [], {
      facts,
      params: { when: '2027-01-01T00:00:00Z' },
    }).state;
    return at.kind === 'waiting' && at.for.what === 'time' ? at.for.until : at;
  };
  assert.equal(until({ for: { days: 1, hours: 2 } }), '2026-11-21T14:00:00.000Z');
  assert.equal(until({ until: '2026-12-01T09:00:00+01:00' }), '2026-12-01T08:00:00.000Z');
  assert.equal(until({ until: '2026-12-01T09:00:00+01' }), '2026-12-01T08:00:00.000Z');
  assert.equal(until({ until: '{{when}}' }), '2027-01-01T00:00:00.000Z');
  assert.deepEqual(until({ until: '{{nothing}}' }), {
    kind: 'failed',
    reason: 'Step "w" cannot wait until "": it is no moment.',
  });
  assert.equal(until({ at: '09:00' }), '2026-11-21T09:00:00.000Z');
  assert.equal(
    until({ at: '09:00' }, factsWith({ timezone: 'America/New_York' })),
    '2026-11-20T14:00:00.000Z',
  );
});

test('a filled value stays in its place within a request, and the answer is stored by pointer', () => {
  const steps: Step[] = [
    {
      id: 'r',
      type: 'request',
      url: 'https://a.test/{{q}}?x={{q}}',
      body: { list: ['{{q}}'], n: 1 },
      keep: { first: '/items/0/na~1me', gone: '/nothing' },
      failed: 'failed',
    },
    message('ok', '{{first}}{{gone}}', 'end'),
    message('failed', 'failed'),
    { id: 'end', type: 'end' },
  ];
  const params = { q: 'a/b?c&"', gone: 'old' };
  const { state } = run(steps, [], { params });
  assert.deepEqual(requestOf({ name: 'Test', steps }, state, factsWith()), {
    method: 'POST',
    url: 'https://a.test/a%2Fb%3Fc%26%22?x=a%2Fb%3Fc%26%22',
    headers: { 'content-type': 'application/json' },
    body: '{"list":["a/b?c&\\""],"n":1}',
  });
  const answered = (answer: Extract<Event, { type: 'answer' }>['answer']) =>
    run(steps, [{ type: 'answer', answer }], { params }).texts;
  assert.deepEqual(answered({ status: 200, body: '{"items": [{"na/me": "Tea"}]}' }), ['Tea']);
  for (const digits of ['9007199254740993', '9007199254740993.0', '1e400']) {
    assert.deepEqual(answered({ status: 200, body: `{"items": [{"na/me": ${digits}}]}` }), [digits]);
  }
  for (const bad of [{ status: 404, body: '{}' }, { status: 200, body: 'no' }, { failure: 'no answer' }]) {
    assert.deepEqual(answered(bad), ['failed']);
  }
});

test('no value leads a request to another path', () => {
  const requested = (url: string, params: { [name: string]: string }) => {
    const steps: Step[] = [{ id: 'r', type: 'request', url, method: 'DELETE' }];
    const { state } = run(steps, [], { params });
    return requestOf({ name: 'Test', steps }, state, factsWith())?.url;
  };
  for (const [url, params] of [
    ['https://a.test/api/orders/{{q}}', { q: '..' }],
    ['https://a.test/api/orders/{{q}}/state', { q: '..' }],
    ['https://a.test/api/orders/{{q}}?all', { q: '.' }],
    ['https://a.test/api/{{q}}{{r}}#all', { q: '.', r: '.' }],
    ['https://a.test/api/.{{q}}/state', { q: '.' }],
    ['https://a.test/api\\{{q}}\\state', { q: '..' }],
    ['{{base}}/orders/{{q}}', { base: 'https://a.test/api', q: '..' }],
    ['https://a.test/{{q}}', { q: '../admin' }],
    ['https://a.test/{{q}}', { q: 'one\\..' }],
    ['https://a.test/.{{q}}', { q: '/./one' }],
  ] as const) {
    assert.throws(() => requested(url, params), CannotRequest, url);
  }
  for (const [url, params, address] of [
    ['https://a.test/api/../{{q}}.', { q: 'v1.0' }, 'https://a.test/api/../v1.0.'],
    ['https://a.test/?q=/{{q}}', { q: '..' }, 'https://a.test/?q=/..'],
    ['https://a.test/{{q}}', { q: '12/..34' }, 'https://a.test/12%2F..34'],
    ['{{base}}/{{q}}', { base: 'https://a.test/api/..', q: 'one' }, 'https://a.test/api/../one'],
  ] as const) {
    assert.equal(requested(url, params), address);
  }
});

test('a request has its values whole, and one that would be longer than any message is not made', () => {
  const steps: Step[] = [
    { id: 'r', type: 'request', url: 'https://a.test/', body: { p: '{{p}}', q: '{{p}}' } },
  ];
  const bodyWith = (params: { [name: string]: string }) =>
    requestOf({ name: 'Test', steps }, run(steps, [], { params }).state, factsWith())?.body;
  const long = 'x'.repeat(60_000);
  assert.equal(bodyWith({ p: long }), JSON.stringify({ p: long, q: long }));
  steps[0] = { id: 'r', type: 'request', url: 'https://a.test/', body: '{{p}}{{p}}' };
  assert.throws(() => bodyWith({ p: long }), TooMuchWork);
});

test('an answer with more than a run can remember is a failure of the request', () => {
  const steps: Step[] = [
    { id: 'r', type: 'request', url: 'https://a.test/', keep: { all: '' }, failed: 'f' },
    { id: 'q', type: 'ask', text: '?' },
    { id: 'f', type: 'message', text: 'Later' },
  ];
  for (const length of [65_400, 70_000]) {
    const answer = { status: 200, body: JSON.stringify('x'.repeat(length)) };
    const { texts } = run(steps, [{ type: 'answer', answer }]);
    assert.deepEqual(texts, ['Later']);
  }
});

test('a value or a name that the database refuses is dropped from an answer', () => {
  const steps: Step[] = [
    { id: 'r', type: 'request', url: 'https://a.test/', keep: { all: '' } },
    { id: 'q', type: 'ask', text: '?' },
  ];
  const body = '{"a\\u0000": 1, "\\ud800": 2, "b": "\\u0000", "c": 3}';
  const { state } = run(steps, [{ type: 'answer', answer: { status: 200, body } }]);
  assert.deepEqual(state.variables, { all: { b: null, c: 3 } });
});

test('buttons and options are recognised by their filled text', () => {
  const steps: Step[] = [
    { id: 'menu', type: 'message', text: '?', buttons: [{ text: '{{name}}, go', next: 'ask' }], next: 'end' },
    {
      id: 'ask',
      type: 'ask',
      text: '?',
      check: 'choice',
      options: [{ text: 'To {{city}}', value: '{{city}}' }],
      keep: { variable: 'x' },
    },
    { id: 'end', type: 'end' },
  ];
  for (const answer of [says('to rome'), says('To Rome', 'Rome')]) {
    assert.equal(
      run(steps, [says('Ann, go'), answer], { params: { city: 'Rome' } }).state.variables.x,
      'Rome',
    );
  }
});

test('a text takes its codes before it is sent, all or none; a step keeps one for later', () => {
  const steps = [message('a', 'Take {{promocode:Spring}} or {{promocode:Autumn}}')];
  const { state, texts } = run(steps, []);
  assert.deepEqual(state.at, {
    kind: 'waiting',
    step: 'a',
    for: { what: 'codes', groups: ['Spring', 'Autumn'] },
  });
  assert.deepEqual(texts, []);
  const given = run(steps, [{ type: 'promocodes', codes: { Spring: 'S1', Autumn: 'A1' } }]);
  assert.deepEqual(given.texts, ['Take S1 or A1']);
  assert.deepEqual(given.state.codes, {});
  assert.equal(run(steps, [{ type: 'promocodes', codes: null }]).state.at.kind, 'failed');

  const button = { text: 'Shop', url: 'https://a.test/?code={{promocode:Spring}}' };
  const linked: Step[] = [{ id: 'a', type: 'message', text: 'Go', buttons: [button] }];
  const { actions } = run(linked, [{ type: 'promocodes', codes: { Spring: 'S1' } }]);
  assert.match(JSON.stringify(actions), /code=S1/);

  const kept: Step[] = [
    { id: 'p', type: 'promocode', group: 'Spring', variable: 'code', empty: 'none' },
    message('m', '{{code}}', 'none'),
    message('none', 'bye'),
  ];
  assert.deepEqual(run(kept, [{ type: 'promocodes', codes: { Spring: 'S1' } }]).texts, ['S1', 'bye']);
  assert.deepEqual(run(kept, [{ type: 'promocodes', codes: null }]).texts, ['bye']);
});

test('a message with linked buttons waits for one of them; an operator step waits for the client to come back', () => {
  const menu: Step = {
    id: 'menu',
    type: 'message',
    text: '?',
    buttons: [{ text: 'Go', payload: 'go', next: 'go' }],
  };
  const steps: Step[] = [
    menu,
    message('other', 'other', 'end'),
    message('go', 'go'),
    { id: 'end', type: 'operator', title: '{{name}}' },
  ];
  assert.deepEqual(run(steps, [says('Go', 'go')]).texts, ['?', 'go']);
  const { texts, actions, state } = run(steps, [says('hm')]);
  assert.deepEqual(texts, ['?', 'other']);
  assert.deepEqual(actions.at(-1), { type: 'operator', title: 'Ann', team: null });
  assert.deepEqual(state.at, { kind: 'waiting', step: 'end', for: { what: 'client', until: null } });
  assert.equal(run(steps, [says('hm'), says('I am back')]).state.at.kind, 'ended');
});

test('a loop without the client ends in a failure that names the step', () => {
  const steps: Step[] = [message('a', 'a'), { id: 'b', type: 'goto', step: 'a' }];
  const { state, texts } = run(steps, []);
  assert.match(JSON.stringify(state.at), /"failed".*goes round and round/);
  assert.equal(texts.length, 50);
});

test('variables beyond their limit are a failure, and nothing is done', () => {
  const steps: Step[] = [
    { id: 's', type: 'set', variables: { x: '{{x}}{{x}}{{x}}{{x}}' } },
    { id: 'g', type: 'goto', step: 's' },
  ];
  const { state, actions } = run(steps, [], { params: { x: 'x'.repeat(1000) } });
  assert.deepEqual([state.at.kind, actions], ['failed', []]);
});

const ids = ['a', 'b', 'c', 'd', 'e'];
const next = fc.option(fc.constantFrom(...ids, 'gone'), { nil: undefined });
const text = fc.constantFrom('Hi {{name}}', '{{x}}', '{{promocode:G}}', '{{{{', '');
const stepKinds: fc.Arbitrary<Record<string, unknown>>[] = [
  fc.record({
    type: fc.constant('message'),
    text,
    next,
    buttons: fc.array(fc.record({ text, next }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('ask'),
    text,
    next,
    check: fc.constantFrom('any', 'number', 'date', 'choice'),
    keep: fc.constant({ variable: 'x' }),
  }),
  fc.record({
    type: fc.constant('branch'),
    cases: fc.constant([{ when: { all: [{ type: 'attribute', x__gt: 1 }] }, next: 'b' }]),
    next,
  }),
  fc.record({
    type: fc.constant('set'),
    variables: fc.constant({ x: '{{x}}{{x}}!' }),
    attributes: fc.constant({ y: null }),
    next,
  }),
  fc.record({ type: fc.constant('wait'), for: fc.constant({ seconds: 1 }), next }),
  fc.record({ type: fc.constant('request'), url: text, keep: fc.constant({ x: '/x' }), next }),
  fc.record({ type: fc.constant('promocode'), group: fc.constant('G'), variable: fc.constant('x'), next }),
  fc.record({ type: fc.constant('operator'), title: text, next }),
  fc.record({ type: fc.constant('goto'), step: fc.constantFrom(...ids) }),
  fc.record({ type: fc.constant('end') }),
];
const scenarios = fc.array(fc.oneof(...stepKinds), { minLength: 1, maxLength: ids.length }).map(
  (steps): Scenario => ({
    name: 'Any',
    steps: steps.map((step, at) => ({ ...step, id: ids[at] })) as Step[],
  }),
);
const events: fc.Arbitrary<Event> = fc.oneof(
  fc.constant(started),
  fc.constant<Event>({ type: 'timer' }),
  fc.record({ type: fc.constant('message' as const), text: fc.string(), payload: fc.option(fc.string()) }),
  fc.record({
    type: fc.constant('answer' as const),
    answer: fc.record({ status: fc.integer(), body: fc.oneof(fc.string(), fc.json()) }),
  }),
  fc.record({ type: fc.constant('promocodes' as const), codes: fc.option(fc.constant({ G: 'CODE' })) }),
  fc.constant<Event>({ type: 'sent' }),
);

test('for any scenario and events, the engine never throws, it ends, and its state is small JSON', () => {
  fc.assert(
    fc.property(
      scenarios,
      fc.array(events, { maxLength: 30 }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.boolean(),
      (scenario, happening, params, isOpening) => {
        let state = beginning(JSON.parse(JSON.stringify(params)));
        for (const event of [started, ...happening]) {
          const before = JSON.stringify(state);
          const advanced = advance(scenario, state, event, { now, facts: factsWith(), isOpening });
          assert.equal(JSON.stringify(state), before, 'the state before is left as it was');
          state = advanced.state;
          assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
          assert.ok(advanced.actions.length <= 200);
        }
      },
    ),
    { numRuns: 500 },
  );
});

const speaking: [kind: string, step: Step, next: State['at']][] = [
  ['message', message('a', 'Hello'), { kind: 'ended' }],
  [
    'message with ways',
    { id: 'a', type: 'message', text: 'Hello', buttons: [{ text: 'Yes', next: 'b' }] },
    { kind: 'waiting', step: 'a', for: { what: 'client', until: null } },
  ],
  [
    'question',
    { id: 'a', type: 'ask', text: 'Well?', timeout: { after: { hours: 1 } } },
    { kind: 'waiting', step: 'a', for: { what: 'client', until: '2026-11-20T13:00:00.000Z' } },
  ],
  [
    'handover',
    { id: 'a', type: 'operator', text: 'To a person' },
    { kind: 'waiting', step: 'a', for: { what: 'client', until: null } },
  ],
];

for (const [kind, step, next] of speaking) {
  test(`a run that is opening does nothing after its first message, a ${kind}, before that was sent`, () => {
    const steps = [step, { id: 'b', type: 'end' } as const];
    const opening = run(steps, [], { isOpening: true });
    assert.deepEqual(opening.state.at, { kind: 'waiting', step: 'a', for: { what: 'sending' } });
    assert.deepEqual(
      opening.actions.map(({ type }) => type),
      ['message'],
    );
    for (const event of [says('Yes'), { type: 'timer' } as const])
      assert.deepEqual(run(steps, [event], { isOpening: true }), opening);
    const { state, actions } = run(steps, [{ type: 'sent' }], { isOpening: true });
    assert.deepEqual(state.at, next);
    assert.equal(actions.length, kind === 'handover' ? 2 : 1);
  });
}
