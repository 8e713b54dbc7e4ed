import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sources } from './arbitrary.ts';
import { bothOf, marksBetween } from './card-diff.ts';
import { cardOf, graphIn } from './graph.ts';
import { merged } from './merge.ts';
import * as canvas from './operations.ts';

const base = JSON.stringify({
  name: 'A',
  steps: [
    { id: 'hi', type: 'message', text: 'Hi' },
    { id: 'ask', type: 'ask', text: '?' },
    { id: 'bye', type: 'message', text: 'Bye' },
  ],
});

const drawn = (source: string) => graphIn(source) ?? assert.fail(source);

test('changes of two people to different steps are merged, and nothing is lost', () => {
  const mine = canvas.addStep(canvas.setField(base, 'hi', ['text'], 'Hello'), 'wait', [5, 5], {
    card: 'bye',
    handle: 'next',
  }).source;
  const theirs = canvas.addStep(canvas.setField(base, 'bye', ['text'], 'Ciao'), 'operator', [9, 9], {
    card: 'ask',
    handle: 'failed',
  }).source;
  const found = merged(base, mine, theirs);
  assert.ok(found);
  // Both have changed where “bye” is left.
  assert.deepEqual(found.clashes, ['bye']);
  const { cards } = drawn(found.source);
  assert.deepEqual(cards.map(({ id }) => id).sort(), ['ask', 'bye', 'end', 'hi', 'operator', 'wait']);
  assert.equal(cards.find(({ id }) => id === 'hi')?.step.text, 'Hello');
  assert.equal(cards.find(({ id }) => id === 'ask')?.step.failed, 'operator');
  assert.deepEqual(
    [cardOf(drawn(found.source), 'wait')?.place, cardOf(drawn(found.source), 'operator')?.place],
    [
      [5, 5],
      [9, 9],
    ],
  );
});

test('the own words are used where both have changed a step, and it is named', () => {
  const mine = canvas.setField(base, 'hi', ['text'], 'Hello');
  const theirs = canvas.setField(base, 'hi', ['text'], 'Ciao');
  const found = merged(base, mine, theirs);
  assert.deepEqual(found?.clashes, ['hi']);
  assert.equal(cardOf(drawn(found?.source ?? ''), 'hi')?.step.text, 'Hello');
  assert.equal(merged(base, '{', theirs), null);
});

test('a merge without changes on one side is the text of the other side', () => {
  fc.assert(
    fc.property(sources, (source) => {
      const { cards } = drawn(source);
      const moved = canvas.moveTo(source, new Map([[cards[0]?.id ?? '', [77, 7]]]));
      const without = (text: string | undefined) =>
        drawn(text ?? '').cards.filter(({ kind }) => kind !== 'end');
      const found = merged(source, source, moved);
      assert.deepEqual(found?.clashes, []);
      assert.deepEqual(
        without(found?.source).map(({ id, place }) => [id, place]),
        without(moved).map(({ id, place }) => [id, place]),
      );
      assert.deepEqual(without(merged(source, moved, source)?.source).length, without(moved).length);
    }),
  );
});

test('a drawn difference marks the cards that were added, changed and removed', () => {
  const after = canvas.deleteCards(
    canvas.addStep(canvas.setField(base, 'hi', ['text'], 'Hello'), 'wait', [0, 0], {
      card: 'bye',
      handle: 'next',
    }).source,
    ['ask'],
  );
  assert.deepEqual(
    [...marksBetween(drawn(base), drawn(after))],
    [
      ['hi', 'changed'],
      ['bye', 'changed'],
      ['wait', 'added'],
      ['ask', 'removed'],
    ],
  );
  assert.deepEqual(
    bothOf(drawn(base), drawn(after)).cards.map(({ id }) => id),
    ['hi', 'bye', 'wait', 'ask'],
  );
});
