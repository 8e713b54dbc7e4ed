import { text } from 'node:stream/consumers';

/** A secret on standard input, without the line end that `echo` and editors add. */
export const readSecret = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');
