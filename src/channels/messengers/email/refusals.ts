import type { SendError } from '../../contract/errors.ts';
import { readableWords } from '../../shared/answer.ts';
import type { Final } from '../../shared/refusals.ts';

/** The reply of an SMTP server. `code` is null without a reply. */
export type Refusal = { command: string; code: number | null; text: string; isLogin: boolean };

export function refusalOf(error: unknown): Refusal {
  const { message, command, response, responseCode, code } = Object(error);
  // The client refuses a mail above the size that the server has named, as the server would.
  const reply = responseCode ?? (code === 'EMESSAGE' ? 552 : null);
  return {
    command: typeof command === 'string' ? command : 'CONN',
    code: typeof reply === 'number' ? reply : null,
    text: readableWords(String(response || message), []),
    isLogin: code === 'EAUTH',
  };
}

type Row = { command?: RegExp; says?: RegExp; means: Final };

/** The meaning of permanent refusals (5xx): the first matching row wins. Source: RFC 5321, RFC 3463. */
const refusals: readonly Row[] = [
  { command: /^AUTH/, means: 'auth' },
  { says: /^53\d/, means: 'auth' },
  { command: /^(MAIL|DATA)/, says: /^552|5\.3\.4|5\.2\.3|larger than allowed/, means: 'bad_content' },
  { command: /^(CONN|EHLO|HELO|MAIL)/, means: 'auth' },
  // 5.7 is the server's policy: it says nothing about the client or the address.
  { command: /^RCPT/, says: /\b5\.7\.\d/, means: 'bad_content' },
  { command: /^RCPT/, means: 'invalid_recipient' },
  { means: 'bad_content' },
];

const tooFast = /too many|\brate\b|throttl|slow down|4\.7\.28/i;
/** A reply may repeat the client's address, which may contain these words. */
const addresses = /(?<!\S)[^\s@]*@\S*/g;
const pauseMs = 15_000;

/** Translates a refusal into an error of the catalogue. */
export function errorOf({ command, code, text, isLogin }: Refusal, mayHaveBeenSent: boolean): SendError {
  const detail = text;
  if (code === null && isLogin) return { code: 'auth', detail };
  if (code === null) return { code: 'temporary', mayHaveBeenSent, detail };
  if (code < 500) {
    if (tooFast.test(text.replace(addresses, '')))
      return { code: 'rate_limited', retryAfterMs: pauseMs, detail };
    return { code: 'temporary', mayHaveBeenSent: false, detail };
  }
  const row = refusals.find(
    ({ command: of, says }) => (of?.test(command) ?? true) && (says?.test(text) ?? true),
  );
  return { code: row?.means ?? 'bad_content', detail };
}
