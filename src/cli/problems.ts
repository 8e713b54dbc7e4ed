import { ConfigError } from '../platform/config.ts';
import { DataFolderInUse } from '../platform/database/data-folder.ts';
import { MigrationChanged } from '../platform/database/migrate.ts';
import { isDatabaseUnavailable, whyUnwritable } from '../platform/database/unavailable.ts';
import { errorText } from '../platform/error-text.ts';
import { HttpProblem } from '../platform/http/errors.ts';
import { type FieldMessages, Invalid, NotFound, Refused } from '../platform/problem.ts';

/** The text of an error for a person. Only an unforeseen error shows its stack, which belongs into a bug report. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Invalid) return fieldSentences(error.fields).join('\n');
  if (isForPeople(error)) return error.message;
  const unwritable = whyUnwritable(error);
  if (unwritable !== undefined) return `${unwritable} Check with: patchbay doctor`;
  if (isDatabaseUnavailable(error)) {
    return `The database does not answer: ${errorText(error)}. Check with: patchbay doctor`;
  }
  if (isUnlistenable(error)) {
    return `Cannot listen on the address: ${errorText(error)}. Choose another PORT or HOST.`;
  }
  // Wrong user or password, or a missing database.
  if (isCode(error, /^(28...|3D000)$/))
    return `The database rejected the connection: ${errorText(error)}. Correct DATABASE_URL.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The address is taken, not allowed, or not of this machine. */
export const isUnlistenable = (error: unknown): boolean =>
  isCode(error, /^(EADDRINUSE|EACCES|EADDRNOTAVAIL)$/);

const peopleErrors = [Refused, NotFound, ConfigError, HttpProblem, DataFolderInUse, MigrationChanged];

const isForPeople = (error: unknown): error is Error => peopleErrors.some((known) => error instanceof known);

const isCode = (error: unknown, codes: RegExp): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.test(error.code);

function fieldSentences(fields: FieldMessages, path: string[] = []): string[] {
  return Object.entries(fields).flatMap(([name, inside]) => {
    const here = name === 'non_field_errors' ? path : [...path, name];
    if (!Array.isArray(inside)) return fieldSentences(inside, here);
    return inside.map((message) => (here.length > 0 ? `${here.join('.')}: ${message}` : message));
  });
}
