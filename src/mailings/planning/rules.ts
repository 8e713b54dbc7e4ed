/** Renewed during longer steps. When it lapses, another process takes over a dead planner's mailings. */
export const leaseMs = 5_000;

export const leaseEnd = (now: Date): Date => new Date(now.getTime() + leaseMs);

/** The run is impossible. The text gives people the reason. */
export class CannotRun extends Error {}
