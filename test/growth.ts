/** Ten sizes, the last ten times the first. */
export const tenSizes = (first: number): number[] =>
  Array.from({ length: 10 }, (_, index) => first * (index + 1));

/**
 * The ratio of processor time between the last size and the first: ten for linear cost, a hundred for quadratic. The
 * minimum of several runs counts, because a pause of the machine only adds.
 */
export function growthOf(sizes: readonly number[], work: (size: number) => unknown): number {
  const least = sizes.map((size) =>
    Math.min(...Array.from({ length: 5 }, () => processorTimeOf(work, size))),
  );
  return (least.at(-1) ?? 0) / Math.max(least[0] ?? 0, resolutionUs);
}

/** The resolution of the measurement. */
const resolutionUs = 200;

function processorTimeOf(work: (size: number) => unknown, size: number): number {
  const before = process.threadCpuUsage();
  work(size);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
