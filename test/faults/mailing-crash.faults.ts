import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailThroughCrashes } from './mailing-crash.ts';

const moments = ['fetching', 'reading', 'planning', 'sending', 'completing'] as const;

/** Kills at each of the stages. */
const rounds = 4;

test('mailings through twenty kills, four at each stage: one message a recipient, true statistics, no code lost', async (t) => {
  const hit: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    const figures = await mailThroughCrashes(t, {
      recipients: 1_000,
      padding: 100_000,
      kills: moments,
      lapse: true,
    });
    t.diagnostic(JSON.stringify(figures));
    for (const [stage, times] of Object.entries(figures.hit)) hit[stage] = (hit[stage] ?? 0) + times;
  }
  t.diagnostic(JSON.stringify(hit));
  for (const moment of moments) assert.ok((hit[moment] ?? 0) > 0, `nothing was killed while ${moment}`);
});

test('mailings whose planner and sender died continue when their leases end', async (t) => {
  const figures = await mailThroughCrashes(t, {
    recipients: 1_000,
    padding: 100_000,
    kills: ['planning', 'sending'],
    lapse: false,
  });
  t.diagnostic(JSON.stringify(figures));
});
