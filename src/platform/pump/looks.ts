export type Looks = {
  /** Has a look taken soon, if there is anybody to look for. */
  soon(): void;
  /** From now on there is somebody to look for. */
  begin(): void;
  /** There is nobody any more: nothing runs until the next `begin`. */
  end(): void;
};

type Options = {
  look: () => Promise<void>;
  onProblem: (error: unknown) => void;
  /** Called every `slowMs`, beside a look; `isBeat` every fourth time, when silent connections are due a sign of life. */
  onRound: (isBeat: boolean) => void;
};

/** Wakes come by the thousand; one look answers all of them. */
const fastestMs = 50;
/** Behind the wakes, some of which may be lost. */
const slowMs = 5_000;
const roundsInBeat = 4;

/** Takes looks: soon after every asking, one at a time, and no more often than a person could notice. */
export function startLooks({ look, onProblem, onRound }: Options): Looks {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking = false;
  let askedAgain = false;
  let next: NodeJS.Timeout | undefined;
  let rounds: NodeJS.Timeout | undefined;
  let roundsMade = 0;

  function soon(): void {
    if (!rounds || next) return;
    if (looking) askedAgain = true;
    else next = setTimeout(lookNow, Math.max(0, fastestMs - (performance.now() - lookedAt)));
  }

  async function lookNow(): Promise<void> {
    next = undefined;
    looking = true;
    lookedAt = performance.now();
    await look().catch(onProblem);
    looking = false;
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
