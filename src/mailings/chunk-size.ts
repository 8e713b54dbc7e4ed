/** Few: how slow a filter is shows itself only on people, and a thousand conditions on some thousand people take ten seconds. */
export const atOnceAtFirst = 20;
const mostAtOnce = 5_000;
/** A chunk holds up whoever waits for the embedded database, and a server cuts it at two seconds. */
const longChunkMs = 250;
const shortChunkMs = 100;

/** Of so many it was too much at once. */
export const fewer = (atOnce: number): number => Math.max(1, atOnce >> 1);

/** How many people to look at in the next statement, after one of this size took so long. */
export function nextAtOnce(atOnce: number, tookMs: number): number {
  if (tookMs > longChunkMs) return fewer(atOnce);
  return tookMs < shortChunkMs ? Math.min(mostAtOnce, atOnce * 2) : atOnce;
}
