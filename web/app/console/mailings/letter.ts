/** The name of a variant of an A/B test: A for 1. */
export const letterOf = (variant: number): string => String.fromCharCode(64 + variant);
