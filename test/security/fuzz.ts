import fc from 'fast-check';

const { FUZZ_SEED, FUZZ_RUNS } = process.env;

/**
 * Checks a promise against random input. A failure names its seed: FUZZ_SEED repeats it, and FUZZ_RUNS searches
 * longer.
 */
export const fuzz = <Input>(
  input: fc.Arbitrary<Input>,
  runs: number,
  holds: (input: Input) => Promise<void>,
) =>
  fc.assert(fc.asyncProperty(input, holds), {
    includeErrorInReport: true,
    numRuns: FUZZ_RUNS === undefined ? runs : Number(FUZZ_RUNS),
    ...(FUZZ_SEED !== undefined && { seed: Number(FUZZ_SEED) }),
  });
