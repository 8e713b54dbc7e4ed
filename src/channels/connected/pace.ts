/** What is known of a channel at the moment when its provider asked to slow down. */
export type Window = {
  /** Messages a second that it was allowed; null where no limit was known. */
  rate: number | null;
  /** Calls of the running window, and those of them that were refused. */
  calls: number;
  refused: number;
  /** How long the window has been running. */
  seconds: number;
  /** Messages a second that the window before it achieved; 0 where there was none. */
  before: number;
};

/** In messages a second: the limit as it was seen, and the speed to begin again with. */
export type Lesson = { limit: number; rate: number };

/** Of a window. It is long, so that a burst that was allowed is not taken for a speed. */
export const windowSeconds = 10;
/** What was learnt is forgotten when so long nothing was refused. */
export const forgottenAfterMs = 600_000;

/** A refusal among fewer calls tells nothing of a speed, unless they were as many as were allowed. */
const enoughCalls = 10;
/** Where no limit was known, nothing slower than half of this is concluded at once. */
const firstGuess = 20;
const slowest = 0.2;
/** Below what was achieved by so much. */
const caution = 0.8;

/** Whether the channel was so busy that a refusal tells of its speed. */
export const isBusy = ({ rate, calls, seconds }: Window): boolean =>
  calls >= enoughCalls || (rate !== null && calls >= (rate * lasted(seconds)) / 2);

/**
 * What a refusal teaches; null where it teaches nothing. Only what was really achieved counts, and one refusal never
 * halves the speed more than once.
 */
export function lessonOf(window: Window): Lesson | null {
  if (!isBusy(window)) return null;
  const { rate, calls, refused, seconds, before } = window;
  const achieved = Math.max(before, (calls - refused) / lasted(seconds));
  const limit = Math.max(slowest, rate === null ? achieved : Math.min(rate, achieved));
  return { limit, rate: Math.max(caution * limit, (rate ?? firstGuess) / 2, slowest) };
}

/** A speed is not told from less than a second. */
const lasted = (seconds: number): number => Math.max(1, seconds);

/** A second message to a chat within so long may be one too many for the chat alone. */
export const chatPatienceMs = 3_000;

/**
 * Whether a refusal is about its chat alone: the provider says so, or the chat had a message a moment ago while the
 * channel was far from busy.
 */
export const isOfChat = (scope: 'chat' | 'channel', window: Window, chatHadOne: boolean): boolean =>
  scope === 'chat' || (chatHadOne && !isBusy(window));
