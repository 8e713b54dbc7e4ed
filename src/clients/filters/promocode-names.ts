import { placeholdersOf } from '../../platform/placeholders.ts';

const prefix = 'promocode:';

/** The name of the group that a placeholder takes a code of: `promocode:Spring` is one of `Spring`; null for any other. */
export const groupNamedBy = (placeholder: string): string | null =>
  placeholder.startsWith(prefix) ? placeholder.slice(prefix.length).trim() || null : null;

/** The names of the groups that a text takes codes of, each once. */
export const groupsNamedIn = (text: string): string[] => [
  ...new Set(placeholdersOf(text).flatMap((placeholder) => groupNamedBy(placeholder) ?? [])),
];
