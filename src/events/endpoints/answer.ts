/** The bytes of an answer that are kept for people to read. Source: docs/contract.md, section 8. */
export const keptAnswerBytes = 20 * 1024;

const REPLACEMENT = '\uFFFD';

/** An answer as text that the database can hold: invalid UTF-8, and every NUL, becomes U+FFFD. */
export const readableAnswer = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', REPLACEMENT);
