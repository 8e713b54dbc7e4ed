import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flood, pressMemory } from './memory.ts';

const heapOf = (megabytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${megabytes}` });

test('a heap of 192 MB survives a flood of large bodies, messages and connections, and a kill in it loses nothing', async (t) => {
  t.diagnostic(JSON.stringify(await pressMemory(t, { ...flood, environment: heapOf(192), ends: 0 })));
});

test('a program whose heap is too small for the flood says so, loses nothing, and goes on when the flood is over', async (t) => {
  const figures = await pressMemory(t, { ...flood, environment: heapOf(64), ends: 3 });
  t.diagnostic(JSON.stringify(figures));
  assert.equal(figures.told, figures.ends);
});
