/** With the mailing's own content. Only a very large audience shows differences between more. */
export const mostVariants = 6;

/** The reactions that may decide. A delivery is none. */
export const decidingMeasures = ['read', 'jumped', 'clicked', 'replied', 'converted'] as const;

export type DecidingMeasure = (typeof decidingMeasures)[number];
