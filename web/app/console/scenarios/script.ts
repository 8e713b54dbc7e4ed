import type { PlayedScenario } from '../../../../src/people/console/scenarios/schema.ts';

type Entry = PlayedScenario['entries'][number];

/** The client's data and the start parameters: a script without lines. */
export type Setup = { [name: string]: unknown };

/** An event, as a line of a script. */
export type Line =
  | { client: string }
  | { press: string }
  | { wait: { seconds: number } }
  | { answer: { status: number; body: unknown } | null };

export const firstSetup: Setup = { profile: { name: 'Ann' }, params: {}, promocodes: {} };

/** Adds sample codes for groups that the scenario uses and the setup does not name. */
export const withCodes = (setup: Setup, groups: readonly string[]): Setup => ({
  ...setup,
  promocodes: {
    ...Object.fromEntries(groups.map((group) => [group, ['CODE-1', 'CODE-2', 'CODE-3']])),
    ...(typeof setup.promocodes === 'object' ? setup.promocodes : {}),
  },
});

/** The conversation as a test: after each line it expects the observed results. */
export function asTest(setup: Setup, lines: readonly Line[], { entries, before }: PlayedScenario): object {
  const ends = [...before, entries.length];
  const expected = (from: number, to: number) => entries.slice(from, to).flatMap(expectationOf);
  const played = lines.flatMap((line, index) => [
    line,
    ...expected(ends[index] ?? entries.length, ends[index + 1] ?? entries.length),
  ]);
  return { ...setup, lines: [...expected(0, ends[0] ?? entries.length), ...played] };
}

function expectationOf(entry: Entry): { expect: unknown }[] {
  switch (entry.what) {
    case 'message':
      return [{ expect: entry.text ?? { message: { url: entry.url } } }];
    case 'request':
      return [{ expect: { request: { method: entry.method, url: entry.url } } }];
    case 'operator':
      return [{ expect: { operator: { title: entry.title } } }];
    case 'failure':
      return [{ expect: { failure: entry.reason } }];
    case 'end':
      return [{ expect: { end: true } }];
    case 'client':
    case 'profile':
    case 'time':
    case 'scenario':
    case 'unheard':
    case 'mismatch':
      return [];
  }
}
