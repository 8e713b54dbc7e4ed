import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitChannels } from './visit-channels.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('each channel is visited once, and a provider that hangs delays no other one', async () => {
  const hanging = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  const visited: number[] = [];
  const round = visitChannels(numbers(100), async (channel) => {
    visited.push(channel);
    if (visited.length === 100) others.resolve();
    if (channel < 10) await hanging.promise;
  });
  await others.promise;
  assert.deepEqual(visited, numbers(100));
  hanging.resolve();
  await round;
});

test('no more than sixteen channels are visited at a time', async () => {
  let underWay = 0;
  let most = 0;
  await visitChannels(numbers(100), async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
  });
  assert.equal(most, 16);
});
