import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgents } from './agents.ts';

test('of any number of trusted certificates twenty are kept, and the usual ones for ever', async () => {
  const open = new Set<string>();
  const agents = createAgents((ca) => {
    open.add(ca);
    const end = async () => void open.delete(ca);
    return { ca, close: end, destroy: end };
  });
  for (let number = 0; number < 100; number += 1) {
    assert.equal(agents.of(`ca ${number}`).ca, `ca ${number}`);
    assert.equal(agents.of(`ca ${number}`), agents.of(`ca ${number}`));
    assert.equal(agents.of('').ca, '');
  }
  assert.equal(open.size, 21);
  assert.ok(open.has('') && open.has('ca 99') && open.has('ca 80'));
  await agents.destroy();
  assert.equal(open.size, 0);
});
