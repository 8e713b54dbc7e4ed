/**
 * What starts a scenario beside messages: changes of profiles, promo codes that are used, days of the year, and saved
 * audiences that clients enter.
 */
export const eventKinds = ['tag_added', 'tag_removed', 'attribute', 'promocode', 'date', 'audience'] as const;

export type EventKind = (typeof eventKinds)[number];

export const starterKinds = ['welcome', 'keyword', 'link', ...eventKinds] as const;

/**
 * What starts a scenario, as people enter it. `value` is the keyword, the link's parameter, the tag, the attribute, or
 * the uuid of the audience, or of the promo codes' group, empty for all groups. `to` is the attribute's new value,
 * empty for any value, or the hour of a date, from 0 to 23.
 */
export type Wanted = { kind: (typeof starterKinds)[number]; value: string; to?: string };
