import { apart, Overrun } from '../platform/apart.ts';
import { moduleAt } from '../platform/module-at.ts';
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
const memoryMb = 128;

let playing = 0;

/**
 * Plays in a separate thread with a time limit: the writer decides how costly a play is, and the service must serve
 * others too. Throws `Refused` and `Throttled`.
 */
export async function playApart(request: PlayRequest, ms = patienceMs): Promise<PlayResult> {
  if (playing >= mostAtOnce) throw new Throttled(1);
  playing += 1;
  try {
    const module = moduleAt('./play-worker', import.meta);
    const played = await apart<PlayResult | null>(module, request, { ms, memoryMb });
    if (!played) throw new Refused('This play says too much.');
    return played;
  } catch (error) {
    throw error instanceof Overrun ? new Refused(complaints[error.bound]) : error;
  } finally {
    playing -= 1;
  }
}

const complaints = { ms: 'This play takes too long.', memoryMb: 'This play takes too much memory.' };
