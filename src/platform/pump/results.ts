import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { seldom } from '../seldom.ts';

export type ResultsOptions<Result> = {
  name: string;
  log: Logger;
  /** Writes results, all or none. */
  record(results: Result[]): Promise<void>;
  /** Whether the database itself was unavailable. It may then accept the same results later. */
  isUnavailable(error: unknown): boolean;
  isStopping(): boolean;
  /** How long a stop waits for a database that is away. */
  patienceMs: number;
  /** The number of results that are expected soon. */
  expected(): number;
};

export type Results<Result> = {
  /** Resolves when the result is written or given up. */
  add(result: Result): Promise<void>;
  /** The number of results that wait or are being written. */
  unwritten(): number;
};

/** The number of statements costs more than the number of rows: results are gathered for this long. */
const gatherMs = 10;
export const recordAtOnce = 256;
const recordRetryMs = 250;

/** Gathers results and writes them together, one batch at a time. */
export function gatherResults<Result>(options: ResultsOptions<Result>): Results<Result> {
  const { name, log, expected } = options;
  let results: Result[] = [];
  let gone = Promise.withResolvers<void>();
  let writing = 0;
  let timer: NodeJS.Timeout | undefined;

  /** At once when a batch is full, or no more results are expected than there are. */
  function writeSoon(): void {
    if (writing > 0 || results.length === 0) return;
    if (results.length >= Math.min(recordAtOnce, expected())) void write();
    else timer ??= setTimeout(write, gatherMs);
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing > 0) return;
    const batch = results;
    const written = gone;
    results = [];
    gone = Promise.withResolvers<void>();
    writing = batch.length;
    await recordPatiently(options, batch).catch((error: unknown) =>
      log.error(
        { err: error, results: batch.length },
        `${name}: results were not written; their leases will lapse`,
      ),
    );
    writing = 0;
    written.resolve();
    writeSoon();
  }

  return {
    add(result) {
      const { promise } = gone;
      results.push(result);
      writeSoon();
      return promise;
    },
    unwritten: () => results.length + writing,
  };
}

/**
 * Tries again as long as the database is away, however long: without its result a message would be sent again. A refused
 * result must not prevent the recording of others.
 */
async function recordPatiently<Result>(
  options: ResultsOptions<Result>,
  batch: Result[],
  until = performance.now() + options.patienceMs,
): Promise<void> {
  const sayLate = seldom((error: unknown) =>
    options.log.warn({ err: error, results: batch.length }, `${options.name}: results not written yet`),
  );
  let deadline = until;
  for (;;) {
    try {
      return await options.record(batch);
    } catch (error) {
      const now = performance.now();
      if (!options.isStopping()) deadline = now + options.patienceMs;
      if (now > deadline) throw error;
      if (!options.isUnavailable(error)) return await recordHalves(options, batch, deadline, error);
      sayLate(error);
      await pause(recordRetryMs);
    }
  }
}

async function recordHalves<Result>(
  options: ResultsOptions<Result>,
  batch: Result[],
  deadline: number,
  error: unknown,
): Promise<void> {
  if (batch.length === 1) throw error;
  const half = batch.length >> 1;
  const halves = [batch.slice(0, half), batch.slice(half)];
  const written = await Promise.allSettled(halves.map((some) => recordPatiently(options, some, deadline)));
  for (const { reason } of written.filter((half) => half.status === 'rejected')) {
    options.log.error({ err: reason }, `${options.name}: a result was refused; its lease will lapse`);
  }
}
