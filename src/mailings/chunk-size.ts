/**
 * A small start: only people show how slow a filter is. A thousand conditions on some thousand people take ten
 * seconds.
 */
export const atOnceAtFirst = 20;
const mostAtOnce = 5_000;
/** A chunk blocks all other work on the embedded database, and a server cancels it at two seconds. */
const planned = { shortMs: 100, longMs: 250 };
/** A search stores nothing, so that small chunks cost it little. Others soon find the database free. */
export const searched = { shortMs: 20, longMs: 50 };

/** The size of the next chunk, after one of this size was too much. */
export const fewer = (atOnce: number): number => Math.max(1, atOnce >> 1);

/** The size after a failure. The chunk soon is small enough to identify the recipient at fault. */
export const atOnceAfterFailure = (atOnce: number): number => Math.max(1, atOnce >> 3);

/** The size of the next chunk, after one of this size took this long. */
export function nextAtOnce(atOnce: number, tookMs: number, { shortMs, longMs } = planned): number {
  if (tookMs > longMs) return fewer(atOnce);
  return tookMs < shortMs ? Math.min(mostAtOnce, atOnce * 2) : atOnce;
}
