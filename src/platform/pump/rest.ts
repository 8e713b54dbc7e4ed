import { exponentialDelay } from './backoff.ts';

/** The time in which nothing is claimed for a lane, because its last claims failed. */
export type Rest = {
  /** Milliseconds until its end. Not above 0 without a rest. */
  left(): number;
  /** A claim failed. The rest is longer after each failure. */
  begin(): void;
  /** A claim succeeded. */
  forget(): void;
};

/** A lane whose claims fail costs a look and a log line each time. */
const firstMs = 250;
const longestMs = 30_000;

export function createRest(): Rest {
  let failures = 0;
  let until = 0;
  return {
    left: () => until - performance.now(),
    begin() {
      failures += 1;
      until = performance.now() + exponentialDelay(failures, firstMs, longestMs, Math.random);
    },
    forget() {
      failures = 0;
    },
  };
}
