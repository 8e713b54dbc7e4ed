export type Bounds = { least: number; most: number };

/** One use of a place: it was free since then, its work took this long, and it is free again now. */
export type Turn = { since: number; workMs: number; now: number };

/**
 * Finds the number of places that a lane needs, from the turns of work in them. Times are milliseconds of any clock.
 */
export type Concurrency = {
  /** The current number of places. */
  places(bounds: Bounds): number;
  /** The number of items that the places work off in this time. 0 while their pace is unknown. */
  ahead(ms: number): number;
  turned(turn: Turn): void;
  /** There was less work than places. Nothing is learnt until there is enough again. */
  ranShort(): void;
};

/** Surplus places, which show whether more places help. */
const margin = 1.3;
const mostChange = 2;
/** Places that grow by this factor in a round are tested soon: the slowness may have been a pause. */
const surge = 1.5;
/**
 * A process that dies repeats the work in its places. More than the least places are for slow work only, as many as
 * this for each ms that it takes: a hundred if a call takes 33 ms.
 */
const mostForMs = 3;
/** The fastest of these rounds counts, so that a pause of the machine changes no places. */
const roundsRemembered = 4;
/** A turn that takes longer by this factor has waited for other work of ours. */
const crowded = 1.15;
/**
 * The interval in rounds at which fewer places are tried. A turn may be shorter than it seems among many. At first
 * the program is slow, because its code is cold. Early measurements are therefore tested soon, and again soon if they
 * were wrong.
 */
const probeEvery = 24;
const probeUncrowdedEvery = 96;
const probeSoon = 6;
const fewer = 3;
const smoothing = 0.25;
/** Among very short turns, a claim is as large as this number of rounds. */
const mostAhead = 6;
/** Our own places never slow a turn by this factor: the provider has become slower. */
const slowed = 4;

/**
 * Little's law: the needed places are the throughput times the duration of a turn. With more places, work waits for
 * the machine instead of the provider. All of it is in doubt when the process dies. A turn's own duration shows only
 * when few run at once: among many it seems longer. A round has as many turns as there are places.
 */
export function createConcurrency(): Concurrency {
  let bounds: Bounds = { least: 1, most: 1 };
  let wanted = 0;
  let turnMs = Number.POSITIVE_INFINITY;
  let rates: number[] = [];
  let works: number[] = [];
  const round = createRound();
  let rounds = 0;
  let probing = false;
  let probeAfter = probeSoon;
  /** The turns to ignore: those that began before places were taken away. */
  let settling = 0;

  const mostAtRisk = (): number => mostForMs * averageOf(works);
  const within = (places: number): number =>
    Math.min(Math.max(Math.min(places, mostAtRisk()), bounds.least), bounds.most);
  const places = (): number => Math.floor(within(probing ? wanted / fewer : wanted));

  function learn({ rate, tookMs, workMs }: Round): void {
    const before = places();
    const isSlow = tookMs > slowed * turnMs;
    if (probing) probeAfter = crowded * tookMs < turnMs ? probeSoon : probeUncrowdedEvery;
    if (isSlow || probing || before === bounds.least) turnMs = tookMs;
    else if (tookMs < crowded * turnMs) turnMs += smoothing * (tookMs - turnMs);
    if (!probing) rates = [rate, ...rates].slice(0, roundsRemembered);
    works = isSlow ? [workMs] : [workMs, ...works].slice(0, roundsRemembered);
    const needed = Math.max(...rates) * turnMs * margin;
    const now = within(wanted);
    wanted = within(Math.min(Math.max(needed, now / mostChange), now * mostChange));
    const surges = !probing && wanted > surge * before;
    if (surges) probeAfter = probeSoon;
    rounds = probing || surges ? 0 : rounds + 1;
    const isCrowded = tookMs > crowded * turnMs;
    probing = !probing && rounds >= Math.min(probeAfter, isCrowded ? probeEvery : probeUncrowdedEvery);
    settling = places() < before ? before : 0;
  }

  return {
    places(given) {
      bounds = given;
      return places();
    },
    ahead: (ms) => Math.min(mostAhead * places(), Math.floor((rates[0] ?? 0) * ms)),
    turned(turn) {
      if (settling > 0) {
        settling -= 1;
        return;
      }
      const ended = round.add(turn, places());
      if (ended) learn(ended);
    },
    ranShort: round.forget,
  };
}

/** The turns that end in a ms, and the averages of their times. */
type Round = { rate: number; tookMs: number; workMs: number };

/** Adds up turns until each place has had one. */
function createRound() {
  let began = 0;
  let turns = 0;
  let tookMs = 0;
  let workMs = 0;
  const forget = (): void => {
    turns = tookMs = workMs = 0;
  };
  return {
    add(turn: Turn, places: number): Round | null {
      if (turns === 0) began = turn.now;
      turns += 1;
      tookMs += turn.now - turn.since;
      workMs += turn.workMs;
      const elapsed = turn.now - began;
      if (turns <= places || elapsed <= 0) return null;
      const round = { rate: (turns - 1) / elapsed, tookMs: tookMs / turns, workMs: workMs / turns };
      forget();
      return round;
    },
    forget,
  };
}

const averageOf = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
