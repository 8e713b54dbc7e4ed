/** Ten sizes, the last ten times the first. */
export const tenSizes = (first: number): number[] =>
  Array.from({ length: 10 }, (_, index) => first * (index + 1));

/** Linear cost on a busy machine stays below this. */
const suspicious = 20;
const mostRounds = 6;

/**
 * The ratio of processor time between the last size and the first: ten for linear cost, a hundred for quadratic. The
 * minimum of several runs counts, because a pause of the machine only adds. A suspicious ratio is measured again.
 */
export function growthOf(sizes: readonly number[], work: (size: number) => unknown): number {
  const least = sizes.map(() => Number.POSITIVE_INFINITY);
  let growth = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds && growth > suspicious; round += 1) {
    for (const [index, size] of sizes.entries()) {
      for (let run = 0; run < 5; run += 1)
        least[index] = Math.min(least[index] ?? Number.POSITIVE_INFINITY, timeOf(work, size));
    }
    growth = (least.at(-1) ?? 0) / Math.max(least[0] ?? 0, resolutionUs);
  }
  return growth;
}

/** Shorter times are equal. */
const resolutionUs = 200;
/** Some kernels count processor time in such ticks. */
const tickUs = 4_000;

/** The processor time of long work, and the time of work that is shorter than a tick. */
function timeOf(work: (size: number) => unknown, size: number): number {
  const [begun, before] = [performance.now(), process.threadCpuUsage()];
  work(size);
  const { user, system } = process.threadCpuUsage(before);
  return Math.min((performance.now() - begun) * 1_000, user + system + tickUs);
}
