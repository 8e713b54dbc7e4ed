import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResponseBudget } from './response-budget.ts';

function startBudget() {
  let clockMs = 0;
  let times = 0;
  const { log, throwIfSpent } = createResponseBudget(
    () => {
      times += 1;
    },
    () => clockMs,
  );
  return {
    throwIfSpent,
    spentTimes: () => times,
    pass: (ms: number) => {
      clockMs += ms;
    },
    command: () => log.debug({ src: 'c' }),
    responses: (count: number) => {
      for (let n = 0; n < count; n += 1) log.debug({ src: 's' });
    },
  };
}

test('a thousand responses may come at once, and then ten for each command and twenty a second', () => {
  const { responses, command, pass, throwIfSpent, spentTimes } = startBudget();
  responses(1_000);
  command();
  responses(10);
  pass(1_000);
  responses(20);
  throwIfSpent();
  responses(1);
  assert.throws(throwIfSpent, /too many responses/);
  assert.equal(spentTimes(), 1);
});

test('a spent budget stays spent, whatever is said while the connection ends', () => {
  const { responses, command, pass, throwIfSpent, spentTimes } = startBudget();
  responses(1_001);
  command();
  pass(60_000);
  responses(5);
  assert.throws(throwIfSpent, /too many responses/);
  assert.equal(spentTimes(), 1);
});
