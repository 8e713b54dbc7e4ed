/** A literal row of a file, or the reason why it cannot be read. Rows are counted from 1, including empty ones. */
export type Row = { line: number; cells: readonly string[] } | BadRow;

export type BadRow = { line: number; problem: string; text: string };

export const maxRowBytes = 64 * 1024;

/** Ten for each of a million rows. More cells take longer to read than a list is worth. */
export const maxCells = 10_000_000;

export const tooManyCells = 'The file has more than 10,000,000 cells.';

/**
 * The limit on the texts of a workbook. It counts bytes for stored texts, and characters for texts that are handed
 * on.
 */
export const maxText = 64 * 1024 * 1024;

export const tooMuchText = 'The workbook holds more text than a list of recipients needs.';

export const maxLines = 1_000_000;

export const tooManyLines = 'The file has more than 1,000,000 lines.';

export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

export const badRow = (line: number, problem: string, cells: readonly string[]): BadRow => ({
  line,
  problem,
  text: cells
    .slice(0, 10)
    .map((cell) => cell.slice(0, 100))
    .join(', ')
    .slice(0, 100)
    .toWellFormed(),
});
