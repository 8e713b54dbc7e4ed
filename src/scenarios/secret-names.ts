import { placeholdersOf } from '../platform/placeholders.ts';

const prefix = 'secret:';

/** The name of a placeholder's secret: `secret:CRM` is `CRM`. Null for any other placeholder. */
export const secretNamedBy = (placeholder: string): string | null =>
  placeholder.startsWith(prefix) ? placeholder.slice(prefix.length).trim() || null : null;

/** The names of the secrets in a text, each once. */
export const secretsNamedIn = (text: string): string[] => [
  ...new Set(placeholdersOf(text).flatMap((placeholder) => secretNamedBy(placeholder) ?? [])),
];
