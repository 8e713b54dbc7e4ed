/** How long owners rest who keep something busy that all share, and that does one thing at a time. */
export type Rests = {
  /** The owner has begun at this moment of the same clock, and has just ended. `othersWait`: whether somebody waits. */
  note(owner: string, begun: number, othersWait: () => boolean): void;
  /** In ms. Zero: the owner may begin. */
  left(owner: string): number;
  /** An owner who has rested lately may do one thing at a time. */
  hasRested(owner: string): boolean;
};

/** Shorter use needs no rest: others wait little for it. */
const longMs = 50;
const longestMs = 1_000;
/** This long after a rest the owner is as any other. */
const rememberedMs = 1_000;

export const noRests: Rests = { note() {}, left: () => 0, hasRested: () => false };

/**
 * After long use for which others waited, an owner rests for as long. Others who need many short turns get them
 * meanwhile, and need not wait for a long one before each of theirs. The program itself, whose owner is '', never rests.
 */
export function createRests(now = () => performance.now()): Rests {
  const until = new Map<string, number>();
  let lastEnd = 0;

  return {
    note(owner, begun, othersWait) {
      const at = now();
      // The time before it went to those who were first.
      const used = at - Math.max(begun, lastEnd);
      lastEnd = at;
      if (owner === '' || used < longMs || !othersWait()) return;
      for (const [known, end] of until) if (end + rememberedMs < at) until.delete(known);
      until.set(owner, at + Math.min(used, longestMs));
    },
    left: (owner) => Math.max(0, (until.get(owner) ?? 0) - now()),
    hasRested: (owner) => now() < (until.get(owner) ?? Number.NEGATIVE_INFINITY) + rememberedMs,
  };
}
