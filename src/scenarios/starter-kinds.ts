/** Changes of profiles and promo codes that start a scenario. */
export const eventKinds = ['tag_added', 'tag_removed', 'attribute', 'promocode'] as const;

export type EventKind = (typeof eventKinds)[number];

export const starterKinds = ['welcome', 'keyword', 'link', ...eventKinds] as const;

/**
 * What starts a scenario, as people enter it. `value` is the keyword, the link's parameter, the tag, the attribute, or
 * the uuid of the promo codes' group, empty for all groups. `to` is the attribute's new value, empty for any value.
 */
export type Wanted = { kind: (typeof starterKinds)[number]; value: string; to?: string };
