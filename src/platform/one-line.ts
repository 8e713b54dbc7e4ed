/** The characters that a text of one line has not, as a class of a pattern: control characters and line breaks. */
const breaking = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';

/** Embeddings, overrides and isolates. They change the order of what is shown after them, too. */
const directing = '\\u202a-\\u202e\\u2066-\\u2069';
/** Marks, which Hebrew and Arabic names may need. They change the order of the signs beside them. */
const marking = '\\u061c\\u200e\\u200f';

/** A JSON Schema's pattern for a text of one line. */
export const onOneLine = `^[^${breaking}${directing}]*$`;

const breaks = new RegExp(`[${breaking}]+`, 'g');

const directions = new RegExp(`[${directing}]`, 'g');

/** The text with a space for every break, and without what reverses the text beside it. */
export const toOneLine = (text: string): string => text.replace(directions, '').replace(breaks, ' ');

const misleading = new RegExp(`[\\u007f-\\u009f${directing}${marking}]`, 'g');

/**
 * JSON without commands of eight bits, which a terminal may run, and without changes of direction, which make a line
 * read as another one. Others write parts of the texts in it.
 */
export const printableJson = (json: string): string =>
  json.replace(misleading, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const commanding = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${directing}${marking}]`, 'g');

/** Text of several lines for a terminal. Providers and projects write parts of it. */
export const printable = (text: string): string => text.replace(commanding, '�');
