import { isUuid } from '../platform/id.ts';
import { normalizePhoneIn } from '../platform/phone.ts';

/** Source: docs/contract.md, section 5. */
export type IdentifierField = 'UUID' | 'EXTERNAL_ID' | 'PHONE_NUMBER' | 'CHAT_UUID';

/**
 * An identifier as it is stored with whom it names; null where it cannot be one.
 * @param country whose national phone numbers are read too; null for none
 */
export function normalIdentifier(
  field: IdentifierField,
  text: string,
  country: string | null = null,
): string | null {
  switch (field) {
    case 'UUID':
    case 'CHAT_UUID':
      return isUuid(text) ? text.toLowerCase() : null;
    case 'PHONE_NUMBER':
      return normalizePhoneIn(country, text);
    case 'EXTERNAL_ID':
      return text === '' || text.includes(separator) ? null : text;
  }
}

/** A line of a list: its place, counted from 1, its identifier, and the line's other columns. */
export type Line = { line: number; identifier: string; variables: { [name: string]: string } | null };

/** Stands between identifiers that are written as one text, and so in none of them: the ASCII unit separator. */
export const separator = '\u001f';

/** Lines as `mailing_identifiers` keeps them. `lines` is null where each follows the one before it. */
export type Block = {
  last_line: number;
  lines: number[] | null;
  identifiers: string[];
  variables: ({ [name: string]: string } | null)[] | null;
};

export const linesOfBlock = 5_000;

/** Lines that follow one another as one block, at most `linesOfBlock` of them. */
export const blockOf = (lines: readonly Line[]): Block => ({
  last_line: lines.at(-1)?.line ?? 0,
  lines: isUnbroken(lines) ? null : lines.map(({ line }) => line),
  identifiers: lines.map(({ identifier }) => identifier),
  variables: lines.some(({ variables }) => variables) ? lines.map(({ variables }) => variables) : null,
});

const isUnbroken = (lines: readonly Line[]): boolean =>
  (lines.at(-1)?.line ?? 0) - (lines[0]?.line ?? 0) === lines.length - 1;
