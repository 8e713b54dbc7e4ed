/** The run cannot be: the text says why, to people. */
export class CannotRun extends Error {}

/** After a failure: soon the chunk is so small that it tells whose fault it was. */
export const atOnceAfterFailure = (atOnce: number): number => Math.max(1, atOnce >> 3);
