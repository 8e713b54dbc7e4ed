/** Ten sizes, the last ten times the first. */
export const tenSizes = (first: number): number[] =>
  Array.from({ length: 10 }, (_, index) => first * (index + 1));

/**
 * How many times the processor's time of the first size the last one takes: ten where the cost is linear, a hundred where it
 * is quadratic. The least of several goes is taken, as a pause of the machine only adds.
 */
export function growthOf(sizes: readonly number[], work: (size: number) => unknown): number {
  const least = sizes.map((size) =>
    Math.min(...Array.from({ length: 5 }, () => processorTimeOf(work, size))),
  );
  return (least.at(-1) ?? 0) / Math.max(least[0] ?? 0, resolutionUs);
}

/** Less than this is not measured. */
const resolutionUs = 200;

function processorTimeOf(work: (size: number) => unknown, size: number): number {
  const before = process.threadCpuUsage();
  work(size);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
