/** The time on which the whole installation agrees. Tests inject their own clock. */
export type Clock = { now(): Date };
