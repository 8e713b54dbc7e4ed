import { Worker } from 'node:worker_threads';
import { Refused, Throttled } from '../platform/problem.ts';
import type { Play } from './play.ts';
import type { Scenario } from './schema.ts';
import type { Script } from './script.ts';

export type PlayRequest = { scenarios: readonly [Scenario, ...Scenario[]]; script: Script };

/** The part of a play that leaves its thread. */
export type PlayResult = Pick<Play, 'entries' | 'before' | 'failures' | 'state' | 'now' | 'facts'> & {
  /** The name of the current scenario. */
  scenario: string;
};

/** A conversation written by hand takes a few milliseconds. */
const patienceMs = 5_000;
const mostAtOnce = 2;
/** Limits for the thread's own memory. A play that needs more is terminated. */
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

let playing = 0;

/**
 * Plays in a separate thread with a time limit: the writer decides how costly a play is, and the service must serve
 * others too. Throws `Refused` and `Throttled`.
 */
export async function playApart(request: PlayRequest, ms = patienceMs): Promise<PlayResult> {
  if (playing >= mostAtOnce) throw new Throttled(1);
  playing += 1;
  try {
    return await resultOf(request, ms);
  } finally {
    playing -= 1;
  }
}

async function resultOf(workerData: PlayRequest, ms: number): Promise<PlayResult> {
  const worker = new Worker(new URL('./play-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: memory,
  });
  const result = Promise.withResolvers<PlayResult>();
  const refuse = (reason: string) => result.reject(new Refused(reason));
  worker.once('message', (played: PlayResult | null) =>
    played ? result.resolve(played) : refuse('This play says too much.'),
  );
  worker.once('error', (error) =>
    isOutOfMemory(error) ? refuse('This play takes too much memory.') : result.reject(error),
  );
  const late = setTimeout(refuse, ms, 'This play takes too long.');
  try {
    return await result.promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
