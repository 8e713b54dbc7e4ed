/** The run is impossible. The text gives people the reason. */
export class CannotRun extends Error {}

/** The listed lines of a run that reach no one. All of them are counted. */
export const mostProblems = 1_000;

/** The size after a failure. The chunk soon is small enough to identify the recipient at fault. */
export const atOnceAfterFailure = (atOnce: number): number => Math.max(1, atOnce >> 3);
