import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canMount, fillDisk } from './full-disk.ts';

const skip = reasonToSkip();
const runs = 10;

function reasonToSkip(): string | false {
  if (process.env.PATCHBAY_TEST_DATABASE === 'server') return 'it is the embedded database’s disk';
  return canMount() ? false : 'mounting a file system needs root on Linux';
}

for (const leftMegabytes of [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6]) {
  test(`a disk with ${leftMegabytes} MB left, filled ${runs} times, half of them without a reserve`, {
    skip,
  }, async (t) => {
    const figures = { accepted: 0, refused: 0, lost: 0, slowestReadyMs: 0, recoveryMs: 0, stopMs: 0 };
    for (let run = 0; run < runs; run += 1) {
      const reservedMegabytes = run % 2 === 0 ? 0 : 1;
      const ends: (() => Promise<void>)[] = [];
      const seen = await fillDisk(
        { after: (end) => void ends.unshift(end) },
        { leftMegabytes, reservedMegabytes },
      );
      for (const end of ends) await end();
      for (const name of ['accepted', 'refused', 'lost'] as const) figures[name] += seen[name];
      for (const name of ['slowestReadyMs', 'recoveryMs', 'stopMs'] as const)
        figures[name] = Math.max(figures[name], Math.round(seen[name]));
    }
    t.diagnostic(JSON.stringify(figures));
    assert.equal(figures.lost, 0);
    assert.ok(figures.slowestReadyMs < 3_000, `/readyz took ${figures.slowestReadyMs} ms`);
  });
}
