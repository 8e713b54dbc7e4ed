import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthOf, tenSizes } from '../../test/growth.ts';
import { advance } from './engine.ts';
import { graphProblems } from './graph.ts';
import { parseScenario } from './parse.ts';
import { factsOf } from './play-state.ts';
import { maxSteps, type Scenario, type Step } from './schema.ts';
import { parseScript } from './script.ts';
import { beginning, type State } from './state.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const facts = factsOf(parseScript({ lines: [] }), now);
const surroundings = { now, facts, isOpening: false };

/** The state of a scenario after its start with these variables. */
const begun = (scenario: Scenario, variables: State['variables'] = {}) =>
  advance(scenario, beginning(variables), { type: 'started' }, surroundings);

const branching = (conditions: number): Scenario => {
  const when = {
    any: Array.from({ length: conditions }, () => ({ type: 'attribute', word__icontains: 'b'.repeat(40) })),
  };
  const round = Array.from({ length: 90 }, (_, at): Step => {
    const next = at === 89 ? 'end' : `s${at + 1}`;
    return { id: `s${at}`, type: 'branch', cases: [{ when, next }], next };
  });
  return { name: 'Branching', steps: [...round, { id: 'end', type: 'end' }] };
};

test('a turn whose branches read too much fails, and says so', () => {
  const variables = { word: 'a'.repeat(4_096) };
  assert.deepEqual(begun(branching(1), variables).state.at, { kind: 'ended' });
  const { state, actions } = begun(branching(1_000), variables);
  assert.deepEqual(state.at, {
    kind: 'failed',
    reason: 'Its conditions and texts look at too much at once.',
  });
  assert.deepEqual(actions, []);
});

test('a turn that writes too much fails, and says so', () => {
  const texts = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`t${at}`, '{{word}}'.repeat(500)]));
  const set: Step = { id: 'set', type: 'set', variables: { ...texts, t0: null }, next: 'again' };
  const steps: Step[] = Array.from({ length: 50 }, (_, at) => ({ ...set, id: `s${at}`, next: undefined }));
  const { state } = begun({ name: 'Writing', steps }, { word: 'a'.repeat(1_000) });
  assert.equal(state.at.kind, 'failed');
});

test('the filters of a version are parsed when it is read, and not when it runs', () => {
  let reads = 0;
  const all = [{ type: 'profile_tag', tag: 'vip' }];
  const when = new Proxy(
    { all },
    {
      get: (filter, name) => {
        reads += 1;
        return Reflect.get(filter, name);
      },
    },
  );
  const scenario = parseScenario({
    name: 'Once',
    steps: [
      { id: 'a', type: 'branch', cases: [{ when, next: 'b' }] },
      { id: 'b', type: 'end' },
    ],
  });
  const before = reads;
  assert.ok(before > 0);
  for (let turn = 0; turn < 3; turn += 1) assert.equal(begun(scenario).state.at.kind, 'ended');
  assert.equal(reads, before);
});

test('checking the step graph takes time linear in its size', () => {
  const scenarioOf = (size: number): Scenario => ({
    name: 'Large',
    steps: [
      ...Array.from(
        { length: size },
        (_, at): Step => ({
          id: `s${at}`,
          type: 'branch',
          cases: Array.from({ length: 50 }, () => ({ when: {}, next: 'end' })),
        }),
      ),
      { id: 'end', type: 'end' },
    ],
  });
  const growth = growthOf(tenSizes(maxSteps / 10 - 1), (size) => graphProblems(scenarioOf(size)));
  assert.ok(growth < 40, `ten times as many steps took ${growth.toFixed(0)} times as long`);
});

test('an answer that is nested too deep counts as none', () => {
  const step: Extract<Step, { type: 'request' }> = {
    id: 'r',
    type: 'request',
    url: 'https://a.test/',
    keep: { all: '' },
    failed: 'sorry',
  };
  const scenario: Scenario = { name: 'Deep', steps: [step, { id: 'sorry', type: 'end' }] };
  const waiting = begun(scenario).state;
  for (const depth of [40, 5_000, 100_000]) {
    const body = '['.repeat(depth) + ']'.repeat(depth);
    const { state } = advance(
      scenario,
      waiting,
      { type: 'answer', answer: { status: 200, body } },
      surroundings,
    );
    assert.deepEqual([state.at, state.variables], [{ kind: 'ended' }, {}], `${depth}`);
  }
});
