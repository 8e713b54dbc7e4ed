import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { holdLeases, type LeaseOptions } from './leases.ts';

const leaseMs = 5_000;
const renewMs = leaseMs / 4;

/** Leases with a manual clock, and their recorded renewals. */
function scene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = manualClock();
  const renewed: string[][] = [];
  const problems: unknown[] = [];
  const options: LeaseOptions<string> = {
    clock,
    leaseMs,
    async renew(items) {
      renewed.push(items);
      return items.map((_, position) => ({ position }));
    },
    onProblem: (error) => void problems.push(error),
  };
  return {
    clock,
    renewed,
    problems,
    options,
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      t.mock.timers.tick(ms);
      await new Promise(setImmediate);
    },
  };
}

test('running work is renewed in every quarter of its lease, and finished work is not', async (t) => {
  const { clock, renewed, options, pass } = scene(t);
  const leases = holdLeases(options);
  leases.hold(['a', 'b'], clock.now());
  await pass(renewMs);
  leases.release(['a']);
  await pass(renewMs);
  leases.release(['b']);
  await pass(leaseMs);
  assert.deepEqual(renewed, [['a', 'b'], ['b']]);
});

test('work that finished during its renewal is not renewed again', async (t) => {
  const { clock, renewed, options, pass } = scene(t);
  const answered = Promise.withResolvers<void>();
  const leases = holdLeases<string>({
    ...options,
    async renew(items, until) {
      const all = await options.renew(items, until);
      await answered.promise;
      return all;
    },
  });
  leases.hold(['a', 'b'], clock.now());
  await pass(renewMs);
  leases.release(['a']);
  answered.resolve();
  await pass(0);
  await pass(renewMs);
  leases.release(['b']);
  assert.deepEqual(renewed, [['a', 'b'], ['b']]);
});

test('a failed renewal is reported, and retried twice before the lease ends', async (t) => {
  const { clock, problems, options, pass } = scene(t);
  const away = new Error('away');
  const tried: number[] = [];
  const begun = clock.now().getTime();
  const leases = holdLeases<string>({
    ...options,
    async renew() {
      tried.push(clock.now().getTime() - begun);
      throw away;
    },
  });
  leases.hold(['a'], clock.now());
  for (let quarter = 1; quarter < 4; quarter += 1) await pass(renewMs);
  leases.release(['a']);
  assert.deepEqual(tried, [renewMs, 2 * renewMs, 3 * renewMs]);
  assert.deepEqual(problems, [away, away, away]);
});

test('claimed work lapses one lease after its claim, and is renewed once for all callers', async (t) => {
  const { clock, renewed, options } = scene(t);
  const leases = holdLeases(options);
  const since = clock.now();
  leases.hold(['a'], since);
  clock.advance(leaseMs / 2 - 1);
  assert.equal(leases.endsSoon(since), false);
  clock.advance(1);
  assert.equal(leases.endsSoon(since), true);
  clock.advance(leaseMs / 2 - 1);
  await leases.renewLapsed();
  assert.deepEqual(renewed, []);
  clock.advance(1);
  await Promise.all([leases.renewLapsed(), leases.renewLapsed()]);
  assert.deepEqual(renewed, [['a']]);
  leases.release(['a']);
});
