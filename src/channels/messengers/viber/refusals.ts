import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import type { Refused } from './api.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

/** Viber's codes for refusals that a retry does not change. Source: developers.viber.com, "Error codes". */
const refusals: { readonly [code: number]: Final } = {
  5: 'invalid_recipient',
  11: 'invalid_recipient',
  21: 'invalid_recipient',
  6: 'blocked',
  3: 'bad_content',
  4: 'bad_content',
  13: 'bad_content',
  14: 'bad_content',
  16: 'bad_content',
  17: 'bad_content',
  2: 'auth',
  7: 'auth',
  8: 'auth',
  9: 'auth',
  10: 'auth',
  15: 'auth',
  23: 'auth',
  24: 'auth',
};

/** Viber accepts a hundred messages an hour for a client who does not answer. */
const TOO_MANY_REQUESTS = 12;
const CHAT_PAUSE_MS = 5_000;
const DEFAULT_PAUSE_MS = 1_000;

/** The error of a refused call for its message. After a refusal by Viber itself, nothing was sent. */
export function errorOf({ status, code, detail, retryAfterMs }: Refused): SendError {
  if (code === TOO_MANY_REQUESTS)
    return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? CHAT_PAUSE_MS, scope: 'chat', detail };
  if (status === 429) return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS, detail };
  const refusal = code === null ? undefined : refusals[code];
  if (refusal) return { code: refusal, detail };
  if (status === 401) return { code: 'auth', detail };
  const mayHaveBeenSent = code === null || code === 0;
  return { code: 'temporary', mayHaveBeenSent, ...(retryAfterMs !== null && { retryAfterMs }), detail };
}
