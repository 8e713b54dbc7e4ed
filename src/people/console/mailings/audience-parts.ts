import type { Group, Part } from './audience-store.ts';

/** What a search has seen so far. `first` are the first recipients. */
export type Seen = Pick<Part, 'looked' | 'groups' | 'first'>;

export const nothingSeen: Seen = { looked: 0, groups: [], first: [] };

const mostFirst = 3;

/**
 * Both parts as one.
 * @param each A recipient of the second part counts for so many.
 */
export function together(one: Seen, other: Seen, each = 1): Seen {
  const groups = new Map(one.groups.map((group) => [keyOf(group), group]));
  for (const group of other.groups) {
    const known = groups.get(keyOf(group)) ?? { recipients: 0, capped: 0 };
    groups.set(keyOf(group), {
      ...group,
      recipients: known.recipients + Math.round(group.recipients * each),
      capped: known.capped + Math.round(group.capped * each),
    });
  }
  return {
    looked: one.looked + other.looked,
    groups: [...groups.values()],
    first: [...one.first, ...other.first].slice(0, mostFirst),
  };
}

const keyOf = ({ channel_id, content_type, timezone, quiet_until }: Group): string =>
  [channel_id, content_type, timezone, quiet_until].join();

export const recipientsIn = (groups: readonly Group[]): number =>
  groups.reduce((sum, { recipients }) => sum + recipients, 0);

const goldenRatio = (Math.sqrt(5) - 1) / 2;

/** At most so many of the items. The first of them, however few, are spread over the whole list. */
export function evenlySpread<Item>(items: readonly Item[], most: number): Item[] {
  const places = Array.from({ length: most }, (_, n) => Math.floor(((n * goldenRatio) % 1) * items.length));
  return [...new Set(places)].flatMap((place) => items.slice(place, place + 1));
}
