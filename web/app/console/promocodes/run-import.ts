import type { CodesImport, CodesImported } from '../../../../src/people/console/promocodes/schema.ts';
import type { Line } from './import-lines.ts';

export type Fate = CodesImported['results'][number] | 'unreadable';

export type Outcome = {
  counts: Record<Fate, number>;
  /** The first lines that were not added. Empty lines are not listed. */
  problems: (Line & { fate: Fate })[];
};

export const mostProblems = 500;
const atOnce = 1_000;
/** The server refuses longer codes, so the rest of a line is not sent. */
const mostCharacters = 1_025;

export const emptyOutcome = (): Outcome => ({
  counts: { added: 0, duplicate: 0, too_long: 0, blank: 0, unreadable: 0 },
  problems: [],
});

type Send = (body: CodesImport) => Promise<CodesImported>;

/** Sends lines in blocks and reports the total result after each. It can be repeated after an interruption. */
export async function* runImport(
  lines: AsyncIterable<Line>,
  expires_at: string | null,
  send: Send,
): AsyncGenerator<Outcome> {
  let outcome = emptyOutcome();
  let block: Line[] = [];
  for await (const line of lines) {
    if (!isText(line.code)) {
      outcome = noted(outcome, [{ ...line, fate: 'unreadable' }]);
      continue;
    }
    block.push(line);
    if (block.length === atOnce) yield await flush();
  }
  if (block.length > 0) await flush();
  yield outcome;

  async function flush(): Promise<Outcome> {
    const sent = block;
    block = [];
    const shortened = sent.map(({ code }) =>
      [...code.slice(0, 2 * mostCharacters)].slice(0, mostCharacters).join(''),
    );
    const { results } = await send({ lines: shortened, expires_at });
    outcome = noted(
      outcome,
      sent.map((line, index) => ({ ...line, fate: results[index] ?? 'unreadable' })),
    );
    return outcome;
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const isText = (code: string): boolean => !code.includes('\0') && code.isWellFormed();

function noted({ counts, problems }: Outcome, lines: (Line & { fate: Fate })[]): Outcome {
  const added = { ...counts };
  for (const { fate } of lines) added[fate] += 1;
  const wrong = lines.filter(({ fate }) => fate !== 'added' && fate !== 'blank');
  return { counts: added, problems: [...problems, ...wrong].slice(0, mostProblems) };
}
