export type Looks = {
  /** Runs a look soon, if there are listeners. */
  soon(): void;
  /** There is a listener from now on. */
  begin(): void;
  /** There are no listeners any more: nothing runs until the next `begin`. */
  end(): void;
};

type Options = {
  look: () => Promise<void>;
  onProblem: (error: unknown) => void;
  /**
   * Called every `slowMs`, beside a look. `isBeat` is true every fourth time, when silent connections need a
   * heartbeat.
   */
  onRound: (isBeat: boolean) => void;
};

/** Wakes come by the thousand. One look answers all of them. */
const fastestMs = 50;
/** A look for thousands of connections takes long. It leaves the database to others for four times as long. */
const restsPerLook = 4;
/** In addition to the wakes, some of which may be lost. */
const slowMs = 5_000;
const roundsInBeat = 4;

/** Runs looks: soon after each request, one at a time, and no more often than a person notices. */
export function startLooks({ look, onProblem, onRound }: Options): Looks {
  let nextAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  let askedAgain = false;
  let next: NodeJS.Timeout | undefined;
  let rounds: NodeJS.Timeout | undefined;
  let roundsMade = 0;

  function soon(): void {
    if (!rounds || next) return;
    if (looking) askedAgain = true;
    else next = setTimeout(lookNow, Math.max(0, nextAt - performance.now()));
  }

  async function lookNow(): Promise<void> {
    next = undefined;
    looking = true;
    const began = performance.now();
    await look().catch(onProblem);
    looking = false;
    const ended = performance.now();
    nextAt = Math.max(began + fastestMs, ended + Math.min(slowMs, restsPerLook * (ended - began)));
    if (!askedAgain) return;
    askedAgain = false;
    soon();
  }

  function makeRound(): void {
    soon();
    roundsMade += 1;
    onRound(roundsMade % roundsInBeat === 0);
  }

  return {
    soon,
    begin() {
      rounds ??= setInterval(makeRound, slowMs);
    },
    end() {
      clearTimeout(next);
      clearInterval(rounds);
      next = undefined;
      rounds = undefined;
    },
  };
}
