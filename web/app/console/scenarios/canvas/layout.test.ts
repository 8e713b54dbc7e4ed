import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphIn } from './graph.ts';
import { placesOf, tidied } from './layout.ts';
import { shapeOf } from './shape.ts';

const wordsOf = () => 'Hello';

function drawn(count: number, canvas: object = {}) {
  const graph = graphIn(
    JSON.stringify({
      canvas,
      steps: Array.from({ length: count }, (_, index) => ({
        id: `s${index}`,
        type: 'promocode',
        ...(index % 3 === 0 && { empty: `s${(index * 7) % count}` }),
      })),
    }),
  );
  assert.ok(graph);
  return graph;
}

for (const count of [1, 12, 119, 121, 500]) {
  test(`${count} cards are arranged without covering each other`, () => {
    const graph = drawn(count);
    const places = placesOf(graph, wordsOf);
    const boxes = graph.cards.map((card) => {
      const [x, y] = places.get(card.id) ?? assert.fail(card.id);
      return { x, y, height: shapeOf(card, wordsOf()).height };
    });
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const isApart =
          Math.abs(one.x - other.x) >= 264 ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        assert.ok(isApart, `${JSON.stringify(one)} ${JSON.stringify(other)}`);
      }
    }
  });
}

test('a card without a place stands beside the one that leads to it, and the others stay', () => {
  const graph = drawn(3, { positions: { s0: [0, 0], s2: [2_000, 0] } });
  const places = placesOf(graph, wordsOf);
  assert.deepEqual(
    [places.get('s0'), places.get('s2')],
    [
      [0, 0],
      [2_000, 0],
    ],
  );
  assert.deepEqual(places.get('s1'), [374, 0]);
});

test('a conversation goes from left to right', () => {
  const places = tidied(drawn(4), wordsOf);
  const columns = ['s0', 's1', 's2', 's3'].map((id) => places.get(id)?.[0] ?? Number.NaN);
  assert.deepEqual(
    columns.toSorted((one, other) => one - other),
    columns,
  );
});
