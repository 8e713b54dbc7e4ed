import { type Platform, platforms } from '../../../../channels/contract/platforms.ts';
import type { Filter } from '../../../../clients/filters/filter.ts';

/** The platforms of the chats that a filter may match. A condition on anything else excludes none. */
export function platformsIn(filter: Filter): readonly Platform[] {
  if ('all' in filter) {
    const parts = filter.all.map(platformsIn);
    return platforms.filter((name) => parts.every((part) => part.includes(name)));
  }
  if ('any' in filter) {
    const parts = filter.any.map(platformsIn);
    return platforms.filter((name) => parts.some((part) => part.includes(name)));
  }
  const { subject, test } = filter;
  if (subject.kind !== 'text' || subject.field !== 'platform' || test.lookup !== 'in') return platforms;
  return platforms.filter((name) => test.values.includes(name));
}
