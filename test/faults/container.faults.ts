import { test } from 'node:test';
import { flood, pressMemory } from './memory.ts';
import { makeMemoryGroup } from './memory-group.ts';

test('a container of 1 GiB survives a flood of large bodies, messages and connections', async (t) => {
  const group = makeMemoryGroup(1_024);
  if (!group) return t.skip('needs root on Linux, and control groups of the first version');
  try {
    t.diagnostic(JSON.stringify(await pressMemory(t, { ...flood, start: group.start, ends: 0 })));
  } finally {
    // After the programs in it, which end with the test.
    t.after(() => group.remove());
  }
});
