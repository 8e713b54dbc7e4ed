import { address } from './settings.ts';

/** RFC 5321, section 4.5.3.1. Nobody can be answered at a longer one. */
const longestAddress = 254;

const whole = new RegExp(`^${address}$`);

/**
 * The addresses in the value of a header, as it was sent (RFC 5322, section 3.4). What stands in comments and in quotation
 * marks, or is encoded, is never an address: there a stranger may write that of another client.
 */
export const mailboxesIn = (value: string): string[] =>
  bare(value)
    .split(/[,;:]/)
    .map((mailbox) => /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox)
    .map((mailbox) => mailbox.trim())
    .filter((mailbox) => mailbox.length <= longestAddress && whole.test(mailbox));

/** The value without its comments and quoted texts. Comments may contain others. */
function bare(value: string): string {
  let rest = '';
  let depth = 0;
  for (const [part] of value.matchAll(/"(?:\\.|[^"\\])*"?|\\.|[()]|[^"\\()]+/gs)) {
    if (part === '(') depth += 1;
    else if (part === ')') depth = Math.max(0, depth - 1);
    // Of a quoted local part the rest alone would be an address.
    else if (depth === 0) rest += part.startsWith('"') || part.startsWith('\\') ? '"' : part;
  }
  return rest;
}
