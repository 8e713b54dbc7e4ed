import type { Context } from '../../platform/context.ts';
import { pauseOf } from '../../platform/limits/rates.ts';
import { Throttled } from '../../platform/problem.ts';

/** From one address, at one channel. */
const mostInMinute = 10;
const minuteMs = 60_000;
const mostKept = 10_000;

/** The channel and the address of a guess at its secret. A null address means that it is unknown. */
type Guesser = { channelId: string; address: string | null };

export type Guesses = {
  /** Throws `Throttled` during a pause, for right and wrong secrets alike. */
  admit(tools: Pick<Context, 'clock'>, guesser: Guesser): void;
  /** Counts a wrong guess, for all processes. */
  wrong(tools: Pick<Context, 'sql' | 'clock'>, guesser: Guesser): Promise<void>;
};

/** Pauses are kept in memory, so that a correct secret costs no query. */
export function createGuesses(): Guesses {
  const pausedUntil = new Map<string, number>();
  return {
    admit({ clock }, guesser) {
      const name = nameOf(guesser);
      const pause = (pausedUntil.get(name) ?? 0) - clock.now().getTime();
      if (pause > 0) throw new Throttled(Math.ceil(pause / 1000));
      pausedUntil.delete(name);
    },
    async wrong(tools, guesser) {
      if (guesser.address === null) return;
      const name = nameOf(guesser);
      const pause = await pauseOf(tools, [
        { subject: `guess at ${name}`, most: mostInMinute, inMs: minuteMs },
      ]);
      if (pause === 0) return;
      if (pausedUntil.size >= mostKept) pausedUntil.clear();
      pausedUntil.set(name, tools.clock.now().getTime() + pause);
    },
  };
}

const nameOf = ({ channelId, address }: Guesser): string => `${channelId} ${address}`;
