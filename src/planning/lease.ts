/** Longer than any step between two statements. A dead planner's mailings are taken over when it ends. */
export const leaseMs = 20_000;

export const leaseEnd = (now: Date): Date => new Date(now.getTime() + leaseMs);
