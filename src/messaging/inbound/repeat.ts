import { setTimeout as pause } from 'node:timers/promises';
import { exponentialDelay } from '../../platform/pump/backoff.ts';
import type { Hold } from './hold-channel.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Repeats a round until the signal, or until it returns null instead of the time to rest. Never rejects. After
 * failures it waits, longer each time, and continues.
 */
export async function repeat(
  { context: { log }, channelId, signal }: Pick<Hold, 'context' | 'channelId' | 'signal'>,
  problem: string,
  round: () => Promise<number | null>,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const restMs = await round();
      if (restMs === null) return;
      failures = 0;
      await rest(restMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      log.warn({ err: error, channel: channelId, failures }, problem);
      await rest(exponentialDelay(failures, firstPauseMs, longestPauseMs, Math.random), signal);
    }
  }
}

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
