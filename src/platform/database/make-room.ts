import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from './pool.ts';

/** Others wait little for shorter work. */
const longMs = 20;
const longestMs = 1_000;

/**
 * For work that takes one step after another. After a step of the embedded database it waits for as long as the step
 * took, if others use the database now. They need many short statements, and would wait for a step before each of them.
 */
export async function makeRoom(
  { isOneSession, isBusy }: Pick<Pool, 'isOneSession' | 'isBusy'>,
  tookMs: number,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<void> {
  if (isOneSession && tookMs >= longMs && isBusy()) await wait(Math.min(tookMs, longestMs));
}
