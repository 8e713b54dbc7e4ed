/** The run is impossible. The text gives people the reason. */
export class CannotRun extends Error {}

/** The size after a failure. The chunk soon is small enough to identify the recipient at fault. */
export const atOnceAfterFailure = (atOnce: number): number => Math.max(1, atOnce >> 3);
