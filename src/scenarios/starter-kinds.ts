export const starterKinds = ['welcome', 'keyword', 'link'] as const;

/** What starts a scenario, as people enter it: a link by its parameter. The welcome has no value. */
export type Wanted = { kind: (typeof starterKinds)[number]; value: string };
