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

test('commands earn a thousand responses a second, however many they are', () => {
  const { responses, command, pass, throwIfSpent } = startBudget();
  const exchange = () => {
    command();
    responses(10);
  };
  responses(1_000);
  for (let second = 0; second < 3; second += 1) {
    for (let n = 0; n < 100; n += 1) exchange();
    throwIfSpent();
    pass(1_000);
  }
  responses(20);
  for (let n = 0; n < 100; n += 1) exchange();
  throwIfSpent();
  command();
  responses(50);
  assert.throws(throwIfSpent, /too many responses/);
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
