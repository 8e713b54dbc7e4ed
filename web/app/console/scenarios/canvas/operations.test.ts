import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sources } from './arbitrary.ts';
import { cardOf, type Graph, graphIn, kinds, targetOf } from './graph.ts';
import { type History, noHistory, record, redo, undo } from './history.ts';
import * as canvas from './operations.ts';

const drawn = (source: string): Graph => {
  const graph = graphIn(source);
  assert.ok(graph, source);
  return graph;
};

/** Where a client gets from each way, without the detour over ends. */
const arrivals = (source: string, of: (id: string) => boolean = () => true) => {
  const graph = drawn(source);
  return graph.cards
    .filter(({ id, kind }) => of(id) && kind !== 'end')
    .map(({ id, ways }) => [
      id,
      ways.map((way) => {
        const to = targetOf(way);
        return [way.handle, to !== null && cardOf(graph, to)?.kind === 'end' ? null : to];
      }),
    ]);
};

const small = `{
  "name": "A", "start": "hi",
  "steps": [
    { "id": "hi", "type": "message", "text": "Hi", "score": 1.0,
      "buttons": [{ "text": "Yes", "next": "bye" }, { "text": "No" }, { "text": "Site", "url": "https://a.test/" }] },
    { "type": "message", "text": "Bye", "id": "bye" }
  ]
}
`;

test('every way out of a step is a handle with its name, and a step falls to the one below it', () => {
  const { cards, start } = drawn(small);
  assert.equal(start, 'hi');
  assert.deepEqual(
    cards.map(({ id, ways }) => [id, ways.map((way) => [way.handle, way.words, way.to, way.falls])]),
    [
      [
        'hi',
        [
          ['buttons.0.next', 'Yes', 'bye', null],
          ['buttons.1.next', 'No', null, null],
          ['next', '', null, 'bye'],
        ],
      ],
      ['bye', [['next', '', null, null]]],
    ],
  );
});

test('an edit changes its own characters and no other', () => {
  const moved = canvas.moveTo(small, new Map([['hi', [10.4, 20]]]));
  assert.equal(moved.replace(/,\n {2}"canvas": \{[\s\S]*?\n {2}\}/, ''), small);
  assert.deepEqual(cardOf(drawn(moved), 'hi')?.place, [10, 20]);
  const said = canvas.setField(small, 'bye', ['text'], 'Ciao');
  assert.equal(said, small.replace('"Bye"', '"Ciao"'));
  assert.equal(
    canvas.connect(small, 'hi', 'buttons.0.next', 'hi'),
    small.replace('"next": "bye"', '"next": "hi"'),
  );
  assert.equal(canvas.disconnect(small, 'hi', 'buttons.0.next'), small.replace(', "next": "bye"', ''));
});

test('a new step stands between its way and the step where that has arrived', () => {
  const { source, id } = canvas.addStep(small, 'ask', [0, 0], { card: 'hi', handle: 'buttons.0.next' });
  assert.equal(id, 'ask');
  assert.deepEqual(arrivals(source), [
    [
      'hi',
      [
        ['buttons.0.next', 'ask'],
        ['buttons.1.next', null],
        ['next', 'bye'],
      ],
    ],
    ['bye', [['next', null]]],
    [
      'ask',
      [
        ['next', 'bye'],
        ['failed', null],
      ],
    ],
  ]);
});

test('a step added behind the last one needs no end', () => {
  const { source } = canvas.addStep(small, 'wait', [0, 0], { card: 'bye', handle: 'next' });
  assert.deepEqual(
    drawn(source).cards.map(({ id }) => id),
    ['hi', 'bye', 'wait'],
  );
});

test('an end that a step needed goes when nothing leads there any more', () => {
  const loose = canvas.addStep(small, 'message', [0, 0]).source;
  assert.equal(
    drawn(loose).cards.some(({ kind }) => kind === 'end'),
    true,
  );
  const joined = canvas.connect(loose, 'bye', 'next', 'message');
  assert.deepEqual(
    drawn(joined).cards.map(({ id }) => id),
    ['hi', 'bye', 'message'],
  );
});

test('what led to a deleted step leads on to where its next led', () => {
  const source = canvas.addStep(small, 'wait', [0, 0], { card: 'hi', handle: 'buttons.1.next' }).source;
  const linked = canvas.connect(source, 'wait', 'next', 'bye');
  assert.deepEqual(arrivals(canvas.deleteCards(linked, ['wait']))[0], [
    'hi',
    [
      ['buttons.0.next', 'bye'],
      ['buttons.1.next', 'bye'],
      ['next', 'bye'],
    ],
  ]);
  assert.equal(drawn(canvas.deleteCards(small, ['hi'])).start, 'bye');
  assert.deepEqual(drawn(canvas.deleteCards(small, ['hi', 'bye'])).cards, []);
});

test('copied steps lead to their own copies, here and in another scenario', () => {
  const copied = canvas.readCopied(canvas.copyCards(small, ['hi', 'bye']));
  assert.ok(copied);
  const here = canvas.paste(small, copied, [40, 40]);
  assert.deepEqual(here.ids, ['hi-2', 'bye-2']);
  assert.deepEqual(
    arrivals(here.source, (id) => id.endsWith('-2')),
    [
      [
        'hi-2',
        [
          ['buttons.0.next', 'bye-2'],
          ['buttons.1.next', null],
          ['next', 'bye-2'],
        ],
      ],
      ['bye-2', [['next', null]]],
    ],
  );
  const there = canvas.paste('{"name": "B", "steps": []}', copied, [0, 0]);
  assert.deepEqual(
    arrivals(there.source).map(([id]) => id),
    ['hi', 'bye'],
  );
  assert.equal(canvas.readCopied('{"steps": []}'), null);
});

test('a renamed step keeps everything that names it', () => {
  const placed = canvas.moveTo(small, new Map([['bye', [1, 2]]]));
  const { cards } = drawn(canvas.renameStep(placed, 'bye', 'farewell'));
  assert.deepEqual(cards[0]?.ways[0]?.to, 'farewell');
  assert.deepEqual(cards[1]?.place, [1, 2]);
  assert.equal(canvas.renameStep(small, 'bye', 'hi'), small);
});

test('comments are kept beside the steps', () => {
  const { source, id } = canvas.addNote(small, [1, 2]);
  const told = canvas.moveNote(canvas.setNote(source, id, 'Ask Ann'), id, [3, 4]);
  assert.deepEqual(drawn(told).notes, [{ id, text: 'Ask Ann', place: [3, 4] }]);
  assert.deepEqual(drawn(canvas.deleteNote(told, id)).notes, []);
});

/** An edit drawn from numbers, for any scenario. */
function edited(source: string, [what, one, two]: readonly [number, number, number]): string {
  const { cards } = drawn(source);
  const card = cards[one % Math.max(1, cards.length)];
  const other = cards[two % Math.max(1, cards.length)];
  if (!card || !other) return canvas.addStep(source, 'message', [0, 0]).source;
  const handle = card.ways[two % Math.max(1, card.ways.length)]?.handle ?? 'next';
  const kind = kinds[two % kinds.length] ?? 'end';
  switch (what) {
    case 0:
      return canvas.addStep(source, kind, [one, two]).source;
    case 1:
      return canvas.addStep(source, kind, [one, two], { card: card.id, handle }).source;
    case 2:
      return canvas.connect(source, card.id, handle, other.id);
    case 3:
      return canvas.disconnect(source, card.id, handle);
    case 4:
      return canvas.deleteCards(source, [card.id, other.id]);
    case 5:
      return canvas.moveTo(source, new Map([[card.id, [one, two]]]));
    case 6:
      return canvas.renameStep(source, card.id, `r${one}-${two}`);
    case 7: {
      const copied = canvas.readCopied(canvas.copyCards(source, [card.id, other.id]));
      return copied ? canvas.paste(source, copied, [9, 9]).source : source;
    }
    default:
      return canvas.setField(source, card.id, ['text'], `text ${one}`);
  }
}

const edits = fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.nat({ max: 99 }), fc.nat({ max: 99 })), {
  maxLength: 12,
});

test('any scenario is drawn and edited, and undone byte for byte, and done again', () => {
  fc.assert(
    fc.property(sources, edits, (source, list) => {
      let text = source;
      let history: History = noHistory;
      for (const edit of list) {
        const after = edited(text, edit);
        history = record(history, text, after);
        text = after;
      }
      const last = text;
      for (let back = undo(history, text); back; back = undo(history, text)) ({ text, history } = back);
      assert.equal(text, source);
      for (let on = redo(history, text); on; on = redo(history, text)) ({ text, history } = on);
      assert.equal(text, last);
    }),
  );
});

test('an edit of one step leaves where all others lead', () => {
  fc.assert(
    fc.property(sources, fc.nat({ max: 9 }), (source, which) => {
      const { cards } = drawn(source);
      const before = arrivals(source);
      const kind = kinds[which] ?? 'end';
      const added = canvas.addStep(source, kind, [0, 0]);
      assert.deepEqual(
        arrivals(added.source, (id) => cards.some((card) => card.id === id)),
        before,
      );
      const card = cards[which % cards.length];
      if (!card || card.kind === 'end') return;
      const led = canvas.disconnect(source, card.id, 'next');
      const others = (id: string) => id !== card.id && cards.some((one) => one.id === id);
      assert.deepEqual(
        arrivals(led, others),
        before.filter(([id]) => others(String(id))),
      );
    }),
  );
});

test('positions and comments change nothing but their own key', () => {
  fc.assert(
    fc.property(sources, fc.integer(), fc.integer(), (source, x, y) => {
      const { cards } = drawn(source);
      const moved = canvas.moveTo(source, new Map(cards.map(({ id }) => [id, [x, y]])));
      const noted = canvas.addNote(moved, [x, y]).source;
      const { canvas: _, ...rest } = JSON.parse(noted);
      const { canvas: kept, ...were } = JSON.parse(source);
      assert.deepEqual(rest, were);
      assert.deepEqual(JSON.parse(noted).canvas.zoom, kept?.zoom);
      assert.ok(drawn(noted).cards.every(({ place }) => place?.[0] === x && place[1] === y));
    }),
  );
});
