/** Equal lines, or a difference. Numbers count from 0. */
export type Piece =
  | { kind: 'same'; left: Lines; right: Lines }
  | { kind: 'different'; left: Lines; right: Lines };

export type Lines = { from: number; lines: string[] };

/** The differences between two texts, line by line. */
export function piecesOf(left: string, right: string): Piece[] {
  const [a, b] = [left.split('\n'), right.split('\n')];
  const kept = commonLines(a, b);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  const add = (kind: Piece['kind'], toA: number, toB: number): void => {
    if (toA === i && toB === j) return;
    pieces.push({
      kind,
      left: { from: i, lines: a.slice(i, toA) },
      right: { from: j, lines: b.slice(j, toB) },
    });
    [i, j] = [toA, toB];
  };
  for (const { inA, inB, length } of kept) {
    add('different', inA, inB);
    add('same', inA + length, inB + length);
  }
  add('different', a.length, b.length);
  return pieces;
}

type Run = { inA: number; inB: number; length: number };

/** Texts with more differences count as completely different, because such a comparison is unreadable. */
const mostChanges = 1_000;

/** The common lines in order, in runs: Myers' greedy search for the fewest changes. */
function commonLines(a: readonly string[], b: readonly string[]): Run[] {
  const reach = new Map([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let changes = 0; changes <= mostChanges; changes += 1) {
    trace.push(new Map(reach));
    for (let k = -changes; k <= changes; k += 2) {
      let x = comesFromBelow(reach, k, changes) ? at(reach, k + 1) : at(reach, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return runsOf(trace, a.length, b.length);
    }
  }
  return [];
}

const at = (reach: ReadonlyMap<number, number>, k: number): number => reach.get(k) ?? -1;

const comesFromBelow = (reach: ReadonlyMap<number, number>, k: number, changes: number): boolean =>
  k === -changes || (k !== changes && at(reach, k - 1) < at(reach, k + 1));

/** Walks back through the search and collects the common lines. */
function runsOf(trace: readonly ReadonlyMap<number, number>[], lengthA: number, lengthB: number): Run[] {
  const runs: Run[] = [];
  let [x, y] = [lengthA, lengthB];
  for (const [changes, reach] of [...trace.entries()].reverse()) {
    const k = x - y;
    const before = comesFromBelow(reach, k, changes) ? k + 1 : k - 1;
    const fromX = changes === 0 ? 0 : at(reach, before);
    const fromY = changes === 0 ? 0 : fromX - before;
    const length = Math.min(x - fromX, y - fromY);
    if (length > 0) runs.unshift({ inA: x - length, inB: y - length, length });
    [x, y] = [fromX, fromY];
  }
  return runs;
}
