import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadersOf, shareOf } from './measure.ts';

/** Published values: R. G. Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I. */
const published: [count: number, of: number, low: number, high: number][] = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
];

test('the interval of a share is that of Wilson, as published', () => {
  for (const [count, of, low, high] of published) {
    const share = shareOf(count, of);
    assert.deepEqual([share.low.toFixed(4), share.high.toFixed(4)], [low.toFixed(4), high.toFixed(4)]);
    // The interval of the others is its mirror.
    const others = shareOf(of - count, of);
    assert.deepEqual(
      [others.low.toFixed(4), others.high.toFixed(4)],
      [(1 - high).toFixed(4), (1 - low).toFixed(4)],
    );
  }
});

test('of nobody nothing is known, and no share leaves its bounds', () => {
  assert.deepEqual(shareOf(0, 0), { count: 0, of: 0, rate: 0, low: 0, high: 1 });
  for (const [count, of] of [
    [1, 1],
    [0, 1],
    [1_000_000, 1_000_000],
    [0, 1_000_000],
    [3, 2],
  ] as const) {
    const { rate, low, high } = shareOf(count, of);
    assert.ok(low >= 0 && low <= rate && rate <= high && high <= 1, `${count} of ${of}`);
  }
});

const cases: [name: string, shares: [number, number][], leaders: number[]][] = [
  [
    'far apart: one leads',
    [
      [100, 1_000],
      [200, 1_000],
    ],
    [1],
  ],
  [
    'the order does not matter',
    [
      [200, 1_000],
      [100, 1_000],
    ],
    [0],
  ],
  [
    'overlapping: no difference',
    [
      [100, 1_000],
      [110, 1_000],
    ],
    [0, 1],
  ],
  [
    'equal: no difference',
    [
      [5, 10],
      [5, 10],
    ],
    [0, 1],
  ],
  [
    'few recipients show no difference',
    [
      [1, 10],
      [5, 10],
    ],
    [0, 1],
  ],
  [
    'two lead before a third',
    [
      [500, 1_000],
      [490, 1_000],
      [100, 1_000],
    ],
    [0, 1],
  ],
  [
    'a mailing that nobody got yet may still lead',
    [
      [500, 1_000],
      [0, 0],
    ],
    [0, 1],
  ],
  [
    'nobody got any',
    [
      [0, 0],
      [0, 0],
    ],
    [],
  ],
  [
    'nobody reacted to either',
    [
      [0, 1_000],
      [0, 1_000],
    ],
    [0, 1],
  ],
  [
    'a small sample with a higher share does not beat a large one',
    [
      [3, 4],
      [500, 1_000],
    ],
    [0, 1],
  ],
];

for (const [name, shares, leaders] of cases) {
  test(name, () => {
    assert.deepEqual(leadersOf(shares.map(([count, of]) => shareOf(count, of))), leaders);
  });
}
