import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverToLose } from '../waiting.ts';
import { outages } from './far-database.ts';
import { sendThroughOutages } from './outage.ts';

/** The promise of docs/reliability.md. */
const longestRefusalMs = 3_000;
/** A worker that missed its wake-up would find the work by its slow poll, every 5 s. */
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
  'outages that outlast every claim: none lost, and only messages in flight repeated',
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
