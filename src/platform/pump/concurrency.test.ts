import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from '../../../test/dice.ts';
import { type Bounds, createConcurrency, type Turn } from './concurrency.ts';

type World = {
  seconds: number;
  /** Of a call that begins at this time, in ms. */
  latency(now: number): number;
  /** The cost of one piece of work on a machine that does one after another, in ms. */
  cost: number;
  /** The factor on the cost while the program is cold. */
  cold?: (now: number) => number;
};

type Second = { done: number; places: number };

const bounds = { least: 48, most: 512 };
const claimMs = 8;
const gatherMs = 10;
const ticksInMs = 10;

/**
 * Simulates a lane that never runs short, as the pump fills it, in simulated time. Returns the work done in each
 * second.
 */
function played(
  { seconds, latency, cost, cold = () => 1 }: World,
  placesOf: () => number,
  turned: (turn: Turn) => void,
): Second[] {
  const agenda = new Map<number, (() => void)[]>();
  const history: Second[] = [];
  let now = 0;
  let taken = 0;
  let done = 0;
  let freeSince: number | null = null;
  let machineFree = 0;

  const at = (time: number, happens: () => void): void => {
    const tick = Math.ceil(time * ticksInMs);
    const others = agenda.get(tick);
    if (others) others.push(happens);
    else agenda.set(tick, [happens]);
  };
  const machine = (happens: () => void): void => {
    machineFree = Math.max(machineFree, now) + (cost / 2) * cold(now);
    at(machineFree, happens);
  };
  const claim = (): void => {
    const since = freeSince ?? now;
    const free = Math.max(0, placesOf() - taken);
    taken += free;
    at(now + claimMs, () => {
      const began = now;
      const end = (): void => {
        taken -= 1;
        done += 1;
        turned({ since, workMs: now - began, now });
      };
      const call = (): void => at(now + latency(now), () => machine(end));
      for (let n = 0; n < free; n += 1) machine(call);
      freeSince = null;
      fill();
    });
  };
  const fill = (): void => {
    const free = placesOf() - taken;
    freeSince = free > 0 ? (freeSince ?? now) : null;
    const isEnough = free >= placesOf() / 2 || (freeSince !== null && now - freeSince >= gatherMs);
    if (free > 0 && isEnough) claim();
    else at(now + 0.5, fill);
  };
  fill();
  for (let tick = 0; history.length < seconds; tick += 1) {
    now = tick / ticksInMs;
    for (const happens of agenda.get(tick) ?? []) happens();
    agenda.delete(tick);
    if (tick % (1000 * ticksInMs) === 0 && tick > 0) {
      history.push({ done, places: placesOf() });
      done = 0;
    }
  }
  return history;
}

function found(world: World, within: Bounds = bounds): Second[] {
  const concurrency = createConcurrency();
  return played(world, () => concurrency.places(within), concurrency.turned);
}

const fixed = (world: World, places: number): Second[] =>
  played(
    world,
    () => places,
    () => {},
  );

const sum = (history: Second[]): number => history.reduce((all, { done }) => all + done, 0);
const averagePlaces = (history: Second[]): number =>
  history.reduce((all, { places }) => all + places, 0) / history.length;

test('if the machine is the limit, no more work runs than helps, and the throughput is the same', () => {
  for (const latency of [1, 20]) {
    const world = { seconds: 20, latency: () => latency, cost: 0.4 };
    const history = found(world);
    assert.ok(averagePlaces(history) < 256, `${averagePlaces(history)} places at ${latency} ms`);
    assert.ok(sum(history) > 0.95 * sum(fixed(world, 72)), `${sum(history)} at ${latency} ms`);
  }
});

test('at most a hundred calls of 20 ms run, also if the machine makes 30 of them: a death repeats them', () => {
  for (const latency of [20, 26, 30]) {
    for (const cost of [0.05, 0.1, 0.2]) {
      const history = found({ seconds: 20, latency: () => latency, cost }, { least: 96, most: 512 });
      const most = Math.max(...history.slice(1).map(({ places }) => places));
      assert.ok(most >= 96 && most <= 100, `${most} places at ${latency} and ${cost} ms`);
    }
  }
});

test('measurements from the cold start are forgotten within seconds', () => {
  const cold = (now: number) => Math.max(1, 12 - now / 200);
  const world = { seconds: 20, latency: () => 20, cost: 0.2, cold };
  const history = found(world);
  const settled = (seconds: Second[]): number => sum(seconds.slice(4));
  const most = Math.max(...history.slice(1).map(({ places }) => places));
  assert.ok(most < 75, `${most} places`);
  assert.ok(settled(history) > 0.95 * settled(fixed(world, 60)), `${settled(history)}`);
});

test('a slow provider gets as many concurrent calls as its adapter allows', () => {
  for (const [latency, ready] of [
    [200, 5],
    [1000, 12],
  ] as const) {
    const world = { seconds: 40, latency: () => latency, cost: 0.3 };
    const [ours, best] = [found(world), fixed(world, 512)];
    const settled = (history: Second[]): number => sum(history.slice(ready));
    assert.ok(settled(ours) > 0.95 * settled(best), `${settled(ours)} of ${settled(best)} at ${latency} ms`);
  }
});

test('calls of very different lengths count with their average', () => {
  const world = () => {
    const random = dice();
    return { seconds: 40, latency: () => (random() < 0.6 ? 20 : 800), cost: 0.3 };
  };
  const [ours, best] = [found(world()), fixed(world(), 512)];
  assert.ok(sum(ours.slice(15)) > 0.85 * sum(best.slice(15)), `${sum(ours)} of ${sum(best)}`);
});

test('a provider that becomes slow is followed within seconds, and one that becomes fast again too', () => {
  const slowFrom = 10_000;
  const slowTo = 50_000;
  const isSlow = (now: number): boolean => now >= slowFrom && now < slowTo;
  const history = found({ seconds: 120, latency: (now) => (isSlow(now) ? 1000 : 20), cost: 0.4 });
  const fewer = history.slice(17, 50).filter(({ places }) => places < 512);
  assert.ok(fewer.length <= 3, `${fewer.length} s with fewer places, and one test of fewer takes three`);
  assert.ok(averagePlaces(history.slice(100)) < 300, `${averagePlaces(history.slice(100))} places`);
});

test('places that a short slowdown of a provider adds are gone within seconds, and mostly it adds none', () => {
  const after: number[] = [];
  for (let from = 10_200; from < 10_250; from += 5) {
    const isSlow = (now: number): boolean => now >= from && now < from + 100;
    const history = found({ seconds: 20, latency: (now) => (isSlow(now) ? 300 : 20), cost: 0.4 });
    after.push(Math.max(...history.slice(10, 12).map(({ places }) => places)));
    const most = Math.max(...history.slice(12).map(({ places }) => places));
    assert.ok(most < 192, `${most} places after a slowdown at ${from} ms`);
  }
  assert.ok(after.filter((most) => most < 96).length > after.length / 2, `${after} places`);
});

test('a lane without enough work learns nothing from that', () => {
  const concurrency = createConcurrency();
  assert.equal(concurrency.places(bounds), bounds.least);
  for (let now = 0; now < 100_000; now += 10) {
    concurrency.turned({ since: now - 500, workMs: 500, now });
    concurrency.ranShort();
  }
  assert.equal(concurrency.places(bounds), bounds.least);
});

test('the work of a short time is claimed ahead: much in a fast lane, and none in a slow or unknown one', () => {
  const aheadAt = (turnMs: number, turns: number): number => {
    const concurrency = createConcurrency();
    concurrency.places({ least: 64, most: 64 });
    for (let turn = 1; turn <= turns; turn += 1) {
      const now = (turn * turnMs) / 64;
      concurrency.turned({ since: now - turnMs, workMs: turnMs, now });
    }
    return concurrency.ahead(50);
  };
  assert.equal(aheadAt(10, 0), 0);
  assert.equal(aheadAt(1, 200), 384);
  assert.equal(aheadAt(10, 200), 320);
  assert.equal(aheadAt(100, 200), 32);
  assert.equal(aheadAt(4_000, 200), 0);
});

test('the bounds hold, also immediately after a change', () => {
  const concurrency = createConcurrency();
  assert.equal(concurrency.places(bounds), 48);
  for (let now = 0; now < 20_000; now += 1) concurrency.turned({ since: now - 1000, workMs: 1000, now });
  assert.equal(concurrency.places(bounds), 512);
  assert.equal(concurrency.places({ least: 16, most: 16 }), 16);
  assert.equal(concurrency.places({ least: 5, most: 100 }), 100);
});
