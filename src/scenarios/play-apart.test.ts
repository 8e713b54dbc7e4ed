import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused, Throttled } from '../platform/problem.ts';
import { parseScenario } from './parse.ts';
import { type PlayRequest, playApart } from './play-apart.ts';
import { parseScript } from './script.ts';

/** No machine is so slow. */
const patienceMs = 600_000;

const refusal = (message: string) => ({ constructor: Refused, message });

const small: PlayRequest = {
  scenarios: [
    parseScenario({ name: 'Small', steps: [{ id: 'a', type: 'message', text: 'Hello {{word}}' }] }),
  ],
  script: parseScript({ params: { word: 'Ann' }, lines: [] }),
};

const when = {
  any: Array.from({ length: 900 }, () => ({ type: 'attribute', word__icontains: `${'a'.repeat(50)}b` })),
};

/** A question, and a branch behind each answer that uses the whole budget of one turn. */
const endless: PlayRequest = {
  scenarios: [
    parseScenario({
      name: 'Endless',
      steps: [
        { id: 'ask', type: 'ask', text: '?' },
        { id: 'branch', type: 'branch', cases: [{ when, next: 'ask' }], next: 'ask' },
      ],
    }),
  ],
  script: parseScript({
    params: { word: 'a'.repeat(2_000) },
    lines: Array.from({ length: 10_000 }, () => ({ client: 'x' })),
  }),
};

test('a play in a separate thread returns its result', async () => {
  const { entries, state, scenario } = await playApart(small, patienceMs);
  assert.deepEqual([state.at, scenario], [{ kind: 'ended' }, 'Small']);
  assert.equal(entries[0]?.what === 'message' && entries[0].text, 'Hello Ann');
});

test('a play that takes too long is terminated, and the program continues meanwhile', async () => {
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 1);
  await assert.rejects(playApart(endless, 1_000), refusal('This play takes too long.'));
  clearInterval(turn);
  assert.ok(turns > 0);
});

test('a play that takes too much memory is terminated', async () => {
  const texts = Array.from({ length: 90 }, (_, at) => ({
    id: `m${at}`,
    type: 'message',
    text: '{{word}}'.repeat(4),
  }));
  const large: PlayRequest = {
    scenarios: [
      parseScenario({
        name: 'Large',
        steps: [{ id: 'ask', type: 'ask', text: '?' }, ...texts, { id: 'on', type: 'goto', step: 'ask' }],
      }),
    ],
    script: { ...endless.script, params: { word: 'я'.repeat(16_000) } },
  };
  await assert.rejects(playApart(large, patienceMs), refusal('This play takes too much memory.'));
});

test('the number of concurrent plays is limited', async () => {
  const plays = Array.from({ length: 3 }, () => playApart(small, patienceMs));
  const outcomes = await Promise.allSettled(plays);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  await assert.rejects(Promise.all(plays), Throttled);
  await playApart(small, patienceMs);
});
