import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverToLose } from '../waiting.ts';
import { outages } from './far-database.ts';
import { sendThroughOutages } from './outage.ts';

/** Source: issue 2, "Faults and bad input". */
const longestRefusalMs = 3_000;
/** A worker that no longer heard of work would find it by its slow look, every 5 s. */
const slowestUsualWakeMs = 1_000;

test(
  '2,000 messages through nine outages: no process dies, 503 within 3 s, none lost, woken as before',
  serverToLose,
  async (t) => {
    const thrice = [outages, outages, outages].flatMap(Object.values);
    const figures = await sendThroughOutages(t, {
      messages: 2_000,
      outages: thrice,
      lapse: false,
      long: false,
    });
    t.diagnostic(JSON.stringify(figures));
    assert.ok(figures.refusals.longestMs <= longestRefusalMs);
    assert.ok((figures.wakeMs[4] ?? 0) <= slowestUsualWakeMs);
  },
);

test(
  'outages that outlast every claim: none lost, and repeats only of what was under way',
  serverToLose,
  async (t) => {
    const figures = await sendThroughOutages(t, {
      messages: 500,
      outages: Object.values(outages),
      lapse: false,
      long: true,
    });
    t.diagnostic(JSON.stringify(figures));
  },
);
