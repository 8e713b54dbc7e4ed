export type Bounds = { least: number; most: number };

/** Finds how many places a lane needs, from the turns that work takes in them. Times are milliseconds of any clock. */
export type Concurrency = {
  /** The places of now. */
  places(bounds: Bounds): number;
  /** A place was free since then, was taken for work, and is free again now. */
  turned(since: number, now: number): void;
  /** There was less to do than places: until there is enough again, nothing is learnt. */
  ranShort(): void;
};

/** Places beyond those that are needed, by which more can be seen to be of use. */
const margin = 1.3;
const mostChange = 2;
/** Of these the fastest counts, so that a pause of the machine takes no places away. */
const roundsRemembered = 4;
/** A turn that takes so much longer has waited for others of ours. */
const crowded = 1.15;
/**
 * Every so many rounds fewer places are tried: a turn may have become shorter than could be seen among many. At first the
 * program itself is slow, as its code is cold: what was learnt then is tried soon, and again as soon when it was wrong.
 */
const probeEvery = 24;
const probeUncrowdedEvery = 96;
const probeSoon = 6;
const fewer = 3;
const smoothing = 0.25;
/** Our own places make no turn so much longer: where two rounds were, it is the provider that takes longer now. */
const slowed = 4;

/**
 * Little's law: what is done a second, times how long it takes, is how many places are needed. With more, work waits for
 * the machine instead of the provider, and all of it is in doubt when the process dies. How long a turn takes by itself
 * is seen where few are under way; among many it only seems longer. A round is as many turns as there are places.
 */
export function createConcurrency(): Concurrency {
  let bounds: Bounds = { least: 1, most: 1 };
  let wanted = 0;
  let turnMs = Number.POSITIVE_INFINITY;
  let rates: number[] = [];
  let round: { began: number; turns: number; tookMs: number } | null = null;
  let rounds = 0;
  let probing = false;
  let probeAfter = probeSoon;
  let wasSlow = false;
  /** Turns that are not looked at: what was under way before places were taken away. */
  let settling = 0;

  const within = (places: number): number => Math.min(Math.max(places, bounds.least), bounds.most);
  const places = (): number => Math.floor(within(probing ? wanted / fewer : wanted));

  function learn(rate: number, tookMs: number): void {
    const before = places();
    const isSlow = tookMs > slowed * turnMs;
    const isNew = isSlow && wasSlow;
    wasSlow = isSlow;
    if (probing) probeAfter = crowded * tookMs < turnMs ? probeSoon : probeUncrowdedEvery;
    if (isNew || probing || before === bounds.least) turnMs = tookMs;
    else if (tookMs < crowded * turnMs) turnMs += smoothing * (tookMs - turnMs);
    if (!probing) rates = [rate, ...rates].slice(0, roundsRemembered);
    const needed = Math.max(...rates) * turnMs * margin;
    const now = within(wanted);
    wanted = within(Math.min(Math.max(needed, now / mostChange), now * mostChange));
    rounds = probing ? 0 : rounds + 1;
    const isCrowded = tookMs > crowded * turnMs;
    probing = !probing && rounds >= Math.min(probeAfter, isCrowded ? probeEvery : probeUncrowdedEvery);
    settling = places() < before ? before : 0;
  }

  return {
    places(given) {
      bounds = given;
      return places();
    },
    turned(since, now) {
      if (settling > 0) {
        settling -= 1;
        return;
      }
      round ??= { began: now, turns: 0, tookMs: 0 };
      round.turns += 1;
      round.tookMs += now - since;
      const elapsed = now - round.began;
      if (round.turns <= places() || elapsed <= 0) return;
      const { turns, tookMs } = round;
      round = null;
      learn((turns - 1) / elapsed, tookMs / turns);
    },
    ranShort() {
      round = null;
    },
  };
}
