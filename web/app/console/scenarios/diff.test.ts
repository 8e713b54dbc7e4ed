import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { piecesOf } from './diff.ts';

test('a comparison lists removed and added lines in one piece per difference', () => {
  const pieces = piecesOf('a\nb\nc\nd', 'a\nx\nc\nd\ne');
  assert.deepEqual(
    pieces.map(({ kind, left, right }) => [kind, left.lines.join(), right.lines.join()]),
    [
      ['same', 'a', 'a'],
      ['different', 'b', 'x'],
      ['same', 'c,d', 'c,d'],
      ['different', '', 'e'],
    ],
  );
});

test('both texts can be rebuilt from their comparison, and equal parts are equal', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (left, right) => {
      const pieces = piecesOf(left, right);
      assert.equal(pieces.flatMap((piece) => piece.left.lines).join('\n'), left);
      assert.equal(pieces.flatMap((piece) => piece.right.lines).join('\n'), right);
      for (const piece of pieces.filter(({ kind }) => kind === 'same')) {
        assert.deepEqual(piece.left.lines, piece.right.lines);
      }
    }),
  );
});
