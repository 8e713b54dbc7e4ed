import { placeholdersOf } from '../platform/placeholders.ts';

const prefix = 'secret:';

/** The name of the secret that a placeholder stands for: `secret:CRM` is `CRM`; null for any other. */
export const secretNamedBy = (placeholder: string): string | null =>
  placeholder.startsWith(prefix) ? placeholder.slice(prefix.length).trim() || null : null;

/** The names of the secrets that a text asks for, each once. */
export const secretsNamedIn = (text: string): string[] => [
  ...new Set(placeholdersOf(text).flatMap((placeholder) => secretNamedBy(placeholder) ?? [])),
];
