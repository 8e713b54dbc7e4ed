import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../test/database.ts';
import { isUnbounded, patternOf, piecesOf, overlap as piecesOverlap } from './keywords.ts';

const { sql } = await testDatabase({ after });

/** All texts of up to four of these letters. */
const letters = ['a', 'b', '*', '%', '\\'];
const texts = [''];
for (const text of texts) if (text.length < 4) texts.push(...letters.map((letter) => text + letter));

const overlap = (one: string, other: string): boolean => piecesOverlap(piecesOf(one), piecesOf(other));

/** The texts that the database says match, by a keyword's pattern or by equality. */
async function matching(keyword: string): Promise<string[]> {
  const pattern = patternOf(keyword);
  if (pattern === null) return texts.filter((text) => text === keyword);
  const rows = await sql<{ text: string }[]>`
    select text from unnest(${texts}::text[]) as text where text like ${pattern}`;
  return rows.map(({ text }) => text);
}

test('a star stands for any number of characters, and a star behind a backslash for itself', async () => {
  assert.deepEqual(
    await matching('a*b'),
    ['ab', 'aab', 'abb', 'a*b', 'a%b', 'a\\b'].concat(
      letters.flatMap((one) => letters.map((two) => `a${one}${two}b`)),
    ),
  );
  assert.deepEqual(await matching('\\*%'), ['*%']);
  assert.deepEqual(await matching('a%'), ['a%']);
  assert.deepEqual(await matching('%\\a*').then((found) => found[0]), '%\\a');
});

test('keywords overlap exactly when one message matches both', async () => {
  const keyword = fc.string({ unit: fc.constantFrom('a', 'b', '*', '%'), minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(keyword, keyword, async (one, other) => {
      const [ones, others] = [await matching(one), await matching(other)];
      const isShared = ones.some((text) => others.includes(text));
      assert.equal(overlap(one, other), overlap(other, one));
      // A shared text may be longer than those that are tried.
      if (isShared) assert.ok(overlap(one, other));
      if (one.length + other.length <= 4) assert.equal(overlap(one, other), isShared);
    }),
    { numRuns: 300 },
  );
  assert.ok(overlap('order*', '*pizza'));
  assert.ok(!overlap('order*', 'orde'));
  assert.ok(!overlap('ab*ba', 'aba'));
  assert.ok(!overlap('a*b*c', 'acb'));
  assert.ok(overlap('*b*', 'a*c'));
  assert.ok(overlap('', ''));
  assert.ok(!overlap('', 'order*'));
});

test('a keyword of stars alone is recognized', () => {
  assert.deepEqual(['*', '* *', '\\*', '/start *', 'a', ''].map(isUnbounded), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
