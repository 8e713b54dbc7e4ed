/** Renewed while a step takes longer. A dead planner's mailings are taken over when it ends. */
export const leaseMs = 5_000;

export const leaseEnd = (now: Date): Date => new Date(now.getTime() + leaseMs);
