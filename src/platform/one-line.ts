/** The characters that a text of one line has not, as a class of a pattern: control characters and line breaks. */
const breaking = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';

/** A JSON Schema's pattern for a text of one line. */
export const onOneLine = `^[^${breaking}]*$`;

const breaks = new RegExp(`[${breaking}]+`, 'g');

/** The text with a space for every break. */
export const toOneLine = (text: string): string => text.replace(breaks, ' ');

/** JSON without commands of eight bits, which a terminal may run. Others write parts of the texts in it. */
export const printableJson = (json: string): string =>
  json.replace(/[\x7f-\x9f]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
