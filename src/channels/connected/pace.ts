/** The known data of a channel when its provider asks to slow down. */
export type Window = {
  /** The allowed messages per second. Null if no limit was known. */
  rate: number | null;
  /** Calls in the current window, and the refused ones among them. */
  calls: number;
  refused: number;
  /** The duration of the window. */
  seconds: number;
  /** Messages per second in the window before it. 0 if there was none. */
  before: number;
};

/** In messages per second: the observed limit, and the rate to restart with. */
export type Lesson = { limit: number; rate: number };

/** The length of a window. It is long, so that an allowed burst does not count as a rate. */
export const windowSeconds = 10;
/** A lesson is forgotten after this time without a refusal. */
export const forgottenAfterMs = 600_000;

/** A refusal among fewer calls does not show a rate, unless these were all the allowed calls. */
const enoughCalls = 10;
/** Without a known limit, the first conclusion is no slower than half of this. */
const firstGuess = 20;
const slowest = 0.2;
/** The factor of the new rate to the achieved one. */
const caution = 0.8;

/** Whether the channel was busy enough for a refusal to show its rate. */
export const isBusy = ({ rate, calls, seconds }: Window): boolean =>
  calls >= enoughCalls || (rate !== null && calls >= (rate * lasted(seconds)) / 2);

/**
 * The lesson of a refusal. Null if there is none. Only the achieved rate counts, and one refusal at most halves the
 * rate.
 */
export function lessonOf(window: Window): Lesson | null {
  if (!isBusy(window)) return null;
  const { rate, calls, refused, seconds, before } = window;
  const achieved = Math.max(before, (calls - refused) / lasted(seconds));
  const limit = Math.max(slowest, rate === null ? achieved : Math.min(rate, achieved));
  return { limit, rate: Math.max(caution * limit, (rate ?? firstGuess) / 2, slowest) };
}

/** Less than a second does not show a rate. */
const lasted = (seconds: number): number => Math.max(1, seconds);

/** A second message to a chat within this time may exceed the limit of the chat alone. */
export const chatPatienceMs = 3_000;

/**
 * Whether a refusal is about its chat alone. The provider says so, or the chat had a recent message while the channel
 * was far from busy.
 */
export const isOfChat = (scope: 'chat' | 'channel', window: Window, chatHadOne: boolean): boolean =>
  scope === 'chat' || (chatHadOne && !isBusy(window));
