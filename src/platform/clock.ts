/** The time as the whole installation agrees on it. Tests bring their own. */
export type Clock = { now(): Date };
