import { isUuid } from '../platform/id.ts';
import { normalizePhoneIn } from '../platform/phone.ts';

/** Source: docs/contract.md, section 5. */
export type IdentifierField = 'UUID' | 'EXTERNAL_ID' | 'PHONE_NUMBER' | 'CHAT_UUID';

/**
 * An identifier in the form in which profiles and chats store it. Null if it cannot be one.
 * @param country The country whose national phone numbers are accepted; null for none.
 */
export function normalIdentifier(
  field: IdentifierField,
  text: string,
  country: string | null = null,
): string | null {
  switch (field) {
    case 'UUID':
    case 'CHAT_UUID': {
      const uuid = text.trim();
      return isUuid(uuid) ? uuid.toLowerCase() : null;
    }
    case 'PHONE_NUMBER':
      return normalizePhoneIn(country, text);
    case 'EXTERNAL_ID':
      return text === '' || text.includes(separator) ? null : text;
  }
}

/** A line of a list: its number from 1, its identifier, and its other columns. */
export type Line = { line: number; identifier: string; variables: { [name: string]: string } | null };

/** Separates identifiers within one text, and therefore occurs in none of them: the ASCII unit separator. */
export const separator = '\u001f';

/** Lines in their stored form in `mailing_identifiers`. `lines` is null if the numbers are consecutive. */
export type Block = {
  last_line: number;
  lines: number[] | null;
  identifiers: string[];
  variables: ({ [name: string]: string } | null)[] | null;
};

export const linesOfBlock = 5_000;
/** A block is written by one statement, for which others wait on the embedded database: for about 10 ms. */
export const charactersOfBlock = 256 * 1024;

/** The text of a line as it is stored: each line repeats the headings, which may be far longer than its cells. */
export const charactersOf = ({ identifier, variables }: Line): number =>
  Object.entries(variables ?? {}).reduce(
    (sum, [heading, cell]) => sum + heading.length + cell.length,
    identifier.length,
  );

/** Consecutive lines as one block, at most `linesOfBlock` of them. */
export const blockOf = (lines: readonly Line[]): Block => ({
  last_line: lines.at(-1)?.line ?? 0,
  lines: isUnbroken(lines) ? null : lines.map(({ line }) => line),
  identifiers: lines.map(({ identifier }) => identifier),
  variables: lines.some(({ variables }) => variables) ? lines.map(({ variables }) => variables) : null,
});

/** The lines as blocks that are written one after another. */
export function* blocksOf(lines: readonly Line[]): Generator<Block> {
  let [start, characters] = [0, 0];
  for (const [index, line] of lines.entries()) {
    const added = charactersOf(line);
    const isFull = index - start >= linesOfBlock || characters + added > charactersOfBlock;
    if (isFull && index > start) {
      yield blockOf(lines.slice(start, index));
      [start, characters] = [index, 0];
    }
    characters += added;
  }
  if (start < lines.length) yield blockOf(lines.slice(start));
}

const isUnbroken = (lines: readonly Line[]): boolean =>
  (lines.at(-1)?.line ?? 0) - (lines[0]?.line ?? 0) === lines.length - 1;
