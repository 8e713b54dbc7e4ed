/** Outages of the database, with a grace after a long one. The leases of other running workers lapsed in it. */
export type Outages = {
  failed(): void;
  answered(): void;
  /** Milliseconds until other processes have had the time to renew their leases. Not above 0 without a grace. */
  graceLeft(): number;
  /** False during an outage and during the grace. */
  areOver(): boolean;
};

/** The part of a lease that other processes get. */
const graceInLease = 0.3;

export function createOutages(leaseMs: number): Outages {
  const graceMs = leaseMs * graceInLease;
  let awaySince: number | undefined;
  let graceUntil = Number.NEGATIVE_INFINITY;
  const graceLeft = (): number => graceUntil - performance.now();
  return {
    failed() {
      awaySince ??= performance.now();
    },
    answered() {
      const now = performance.now();
      if (awaySince !== undefined && now - awaySince >= graceMs) graceUntil = now + graceMs;
      awaySince = undefined;
    },
    graceLeft,
    areOver: () => awaySince === undefined && graceLeft() <= 0,
  };
}
