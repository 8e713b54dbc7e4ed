import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from '../../../test/dice.ts';
import { createLaneItems } from './lane-items.ts';

const bounds = { least: 16, most: 512 };
const perMs = 1.5;

/** Ten simulated seconds of a lane that always has due items, and whose claims take time for each item. */
function played({ workMs }: { workMs: number }) {
  const load = { taken: 0, most: 2_000 };
  const places = createLaneItems<number>({ load, share: { taken: 0 }, bounds: () => bounds, isAhead: true });
  const ends: { at: number; workMs: number; since: number }[] = [];
  const random = dice();
  let now = 0;
  let done = 0;
  let most = 0;

  const fill = (): void => {
    for (const { since } of places.fill(now)) {
      const tookMs = workMs * (0.8 + 0.4 * random());
      ends.push({ at: now + tookMs, workMs: tookMs, since });
    }
    ends.sort((a, b) => a.at - b.at);
    if (now > 5_000) most = Math.max(most, ends.length);
  };
  const passUntil = (time: number): void => {
    for (let end = ends[0]; end && end.at <= time; end = ends[0]) {
      ends.shift();
      now = end.at;
      done += 1;
      places.leave({ since: end.since, workMs: end.workMs, now });
      fill();
    }
    now = time;
  };
  places.woke(now);
  while (now < 10_000) {
    const free = places.free();
    const half = Math.max(1, (places.taken() + free) >> 1);
    if (free < half) {
      passUntil(ends[0]?.at ?? now);
      continue;
    }
    places.reserve(half);
    passUntil(now + 2 + half / perMs);
    const items = Array.from({ length: half }, (_, item) => item);
    places.settle(half, items, now);
    fill();
  }
  return { rate: done / now, most, taken: load.taken, active: ends.length };
}

test('if claims are the limit, no more work runs than they bring', () => {
  const workMs = 20;
  const { rate, most } = played({ workMs });
  assert.ok(rate > 0.7 * perMs, `${rate} per ms`);
  // What a claim brings at once lets a few more run.
  assert.ok(most < 2.5 * perMs * workMs, `${most} at once`);
});

test('items count for their lane and for all lanes until they leave or are given back', () => {
  const load = { taken: 0, most: 2_000 };
  const places = createLaneItems<string>({
    load,
    share: { taken: 0 },
    bounds: () => ({ least: 2, most: 2 }),
    isAhead: true,
  });
  places.reserve(4);
  assert.deepEqual([places.taken(), load.taken, places.free()], [4, 4, 0]);
  places.settle(4, ['a', 'b', 'c'], 0);
  assert.deepEqual([places.taken(), load.taken], [3, 3]);
  assert.deepEqual(places.fill(1), [
    { item: 'a', since: 1 },
    { item: 'b', since: 1 },
  ]);
  assert.deepEqual(places.takeStale(249), []);
  assert.deepEqual(places.takeStale(250), ['c']);
  places.leave({ since: 1, workMs: 250, now: 251 });
  assert.deepEqual([places.taken(), load.taken, places.free()], [2, 2, 0]);
  places.gaveBack(1);
  places.leave({ since: 1, workMs: 250, now: 251 });
  assert.deepEqual([places.taken(), load.taken, places.free()], [0, 0, 2]);
});

test('what a running claim brings is given back if a result outdated it, however late it comes', async () => {
  const items = createLaneItems<string>({
    load: { taken: 0, most: 2_000 },
    share: { taken: 0 },
    bounds: () => ({ least: 4, most: 4 }),
    isAhead: true,
  });
  items.reserve(2);
  await items.outdateUntil(Promise.resolve());
  items.settle(2, ['a', 'b'], 10);
  assert.deepEqual(items.takeStale(10), ['a', 'b']);
  items.gaveBack(2);
  items.reserve(1);
  items.settle(1, ['c'], 11);
  assert.deepEqual(items.takeStale(11), []);
});
