import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverToLose } from '../waiting.ts';
import { outages } from './far-database.ts';
import { sendThroughOutages } from './outage.ts';

test(
  'a database that goes away stops no process, loses no message, and is used again when it is back',
  serverToLose,
  async (t) => {
    const figures = await sendThroughOutages(t, {
      messages: 200,
      outages: Object.values(outages),
      lapse: true,
      long: false,
    });
    t.diagnostic(JSON.stringify(figures));
    assert.ok(figures.refusals.count > 0);
  },
);
