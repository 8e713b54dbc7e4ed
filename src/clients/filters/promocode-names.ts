import { placeholdersOf } from '../../platform/placeholders.ts';

const prefix = 'promocode:';

/**
 * The name of the group whose code a placeholder takes: `promocode:Spring` takes one of `Spring`. Null for any other
 * placeholder.
 */
export const groupNamedBy = (placeholder: string): string | null =>
  placeholder.startsWith(prefix) ? placeholder.slice(prefix.length).trim() || null : null;

/** The names of the groups whose codes a text takes, each once. */
export const groupsNamedIn = (text: string): string[] => [
  ...new Set(placeholdersOf(text).flatMap((placeholder) => groupNamedBy(placeholder) ?? [])),
];
