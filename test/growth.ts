/** Ten sizes, the last ten times the first. */
export const tenSizes = (first: number): number[] =>
  Array.from({ length: 10 }, (_, index) => first * (index + 1));

/**
 * The ratio of processor time between the last size and the first: ten for linear cost, a hundred for quadratic. The
 * minimum of several runs counts, because a pause of the machine only adds.
 */
export function growthOf(sizes: readonly number[], work: (size: number) => unknown): number {
  const least = sizes.map((size) => Math.min(...Array.from({ length: 5 }, () => timeOf(work, size))));
  return (least.at(-1) ?? 0) / Math.max(least[0] ?? 0, resolutionUs);
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
