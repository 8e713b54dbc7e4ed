/** A share of `of` recipients, and the interval in which the true share lies: by default in 19 of 20 cases. */
export type Share = { count: number; of: number; rate: number; low: number; high: number };

/** The standard normal deviate of a two-sided 95 % interval. */
const z = 1.959_963_984_540_054;

/**
 * The same where several shares are compared, each with each: of six there are 15 pairs, and each may err in a
 * fifteenth of 5 % (C. E. Bonferroni, 1936; O. J. Dunn, "Multiple comparisons among means", 1961). Any
 * wrong difference is then shown in at most one of twenty tests.
 */
export const deviateFor = (shares: number): number => deviates[shares - 2] ?? mostCautious;

const deviates = [z, 2.393_979_799_818_51, 2.638_257_273_476_751, 2.807_033_768_343_811];
/** For six. */
const mostCautious = 2.935_199_468_866_699;

/**
 * The share with Wilson's interval (E. B. Wilson, 1927). It stays within 0 and 1, and is honest for few recipients and
 * for shares near the ends. Without recipients nothing is known.
 */
export function shareOf(count: number, of: number, deviate = z): Share {
  if (of === 0) return { count, of, rate: 0, low: 0, high: 1 };
  // Reports of several runs may arrive in between.
  const rate = Math.min(count / of, 1);
  const divisor = 1 + deviate ** 2 / of;
  const center = (rate + deviate ** 2 / (2 * of)) / divisor;
  const half = (deviate / divisor) * Math.sqrt((rate * (1 - rate)) / of + deviate ** 2 / (4 * of ** 2));
  return {
    count,
    of,
    rate,
    low: rate === 0 ? 0 : Math.max(center - half, 0),
    high: rate === 1 ? 1 : Math.min(center + half, 1),
  };
}

/**
 * The places of the highest share, and of all shares whose intervals overlap with it: between these no difference is
 * shown. None if nobody has had a chance.
 */
export function leadersOf(shares: readonly Share[]): number[] {
  const known = shares.filter(({ of }) => of > 0);
  const best = known.toSorted((one, other) => other.rate - one.rate || other.low - one.low)[0];
  if (!best) return [];
  return shares.flatMap(({ high }, place) => (high >= best.low ? [place] : []));
}
