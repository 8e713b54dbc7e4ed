import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedProject } from '../../../test/seed.ts';
import { Refused } from '../../platform/problem.ts';
import { insertGroup } from './groups-store.ts';
import type { Form } from './rules.ts';
import { drawCode, takeFreeCode } from './take-free.ts';
import { codeWriter } from './write.ts';

const { sql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock());
const write = codeWriter(context);

/** Takes codes of one form, in a group of a new project. */
async function taker(form: Form) {
  const [projectId, groupId] = [await seedProject(sql), context.newId()];
  await insertGroup(sql, projectId, { id: groupId, name: 'Few', createdAt: noon });
  return () =>
    takeFreeCode(context, write, form, {
      project_id: projectId,
      id: context.newId(),
      group_id: groupId,
      status: 'AVAILABLE',
      issued_chat_id: null,
      issued_at: null,
      expires_at: null,
      created_at: noon,
    });
}

test('every code of a form can be taken, whatever other projects have, and then the request is refused', async () => {
  const form = { prefix: 'P', characters: 'AB', length: 5 };
  const takeElsewhere = await taker(form);
  for (let n = 0; n < 32; n += 1) await takeElsewhere();
  const take = await taker(form);
  const codes = new Set<string>();
  for (let n = 0; n < 32; n += 1) codes.add((await take()).code);
  assert.equal(codes.size, 32);
  for (const code of codes) assert.match(code, /^P[AB]{5}$/);
  await assert.rejects(
    take(),
    (error) => error instanceof Refused && /^Hardly any codes/.test(error.message),
  );
});

test('many that compete for the last codes get one each or are refused', async () => {
  const take = await taker({ prefix: '', characters: 'ABC', length: 3 });
  const results = await Promise.allSettled(Array.from({ length: 40 }, take));
  const codes = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.code : []));
  const errors = results.flatMap((result) => (result.status === 'rejected' ? result.reason : []));
  assert.deepEqual([codes.length, new Set(codes).size], [27, 27]);
  assert.ok(errors.every((error) => error instanceof Refused));
});

test('every character is equally frequent in every place', () => {
  const form = { prefix: '', characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', length: 5 };
  const draws = 36_000;
  const counts = Array.from({ length: form.length }, () => new Map<string, number>());
  for (let n = 0; n < draws; n += 1) {
    for (const [place, character] of [...drawCode(form)].entries()) {
      counts[place]?.set(character, (counts[place]?.get(character) ?? 0) + 1);
    }
  }
  const expected = draws / form.characters.length;
  for (const count of counts) {
    assert.equal(count.size, form.characters.length);
    // Six standard deviations: the test detects a bias of a fifth, and fails by chance once in a million runs.
    for (const found of count.values()) assert.ok(Math.abs(found - expected) < 6 * Math.sqrt(expected));
  }
});
