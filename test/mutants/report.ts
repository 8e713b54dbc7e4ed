import type { Mutation } from './mutation.ts';
import type { Outcome } from './run-tests.ts';

export type Tried = { area: string; mutation: Mutation; outcome: Outcome };

/** Of all that are tried. */
const wantedPercent = 92;

/** Writes the table; gives the exit code. */
export function report(tried: readonly Tried[], write: (line: string) => void): number {
  write(`\n${row('', 'killed', 'survived', 'killed of all')}`);
  for (const [area, its] of Map.groupBy(tried, (one) => one.area)) write(rowOf(area, its));
  write(rowOf('all', tried));

  const survivors = tried.filter(({ outcome }) => outcome.passed);
  if (survivors.length > 0) write('\nSurvivors:');
  for (const { area, mutation } of survivors) {
    write(`- ${area}: ${mutation.name} (${mutation.file})`);
    write(`  ${mutation.survives ?? 'No reason is given.'}`);
  }
  for (const { area, mutation, outcome } of tried) {
    if (mutation.survives && !outcome.passed) write(`Noticed after all: ${area}: ${mutation.name}`);
  }
  return percentOf(tried) < wantedPercent ? 1 : 0;
}

function rowOf(name: string, tried: readonly Tried[]): string {
  const killed = tried.filter(({ outcome }) => !outcome.passed).length;
  return row(name, `${killed}`, `${tried.length - killed}`, `${percentOf(tried).toFixed(1)} %`);
}

const row = (name: string, ...cells: string[]): string =>
  `${name.padEnd(14)}${cells.map((cell) => cell.padStart(15)).join('')}`;

const percentOf = (tried: readonly Tried[]): number =>
  (100 * tried.filter(({ outcome }) => !outcome.passed).length) / tried.length;
