import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import type { Refused } from './api.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

/** The codes of Odnoklassniki for refusals that a retry does not change. */
const refusals: { readonly [code: number]: Final } = {
  7: 'blocked',
  10: 'blocked',
  22: 'invalid_recipient',
  110: 'invalid_recipient',
  300: 'invalid_recipient',
  4: 'bad_content',
  100: 'bad_content',
  454: 'bad_content',
  500: 'bad_content',
  501: 'bad_content',
  504: 'bad_content',
  505: 'bad_content',
  101: 'auth',
  102: 'auth',
  103: 'auth',
  104: 'auth',
  451: 'auth',
  453: 'auth',
};

/** Pauses for limits whose answers contain no time. */
const pauses: { readonly [code: number]: { ms: number; scope: 'chat' | 'channel' } } = {
  8: { ms: 5_000, scope: 'channel' },
  11: { ms: 10_000, scope: 'channel' },
  26: { ms: 10_000, scope: 'chat' },
};

const DEFAULT_PAUSE_MS = 1_000;

/** The error of a refused call for its message. If Odnoklassniki is in trouble, it may have sent the message. */
export function errorOf({ status, code, detail, retryAfterMs }: Refused): SendError {
  const pause = code === null ? undefined : pauses[code];
  if (pause)
    return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? pause.ms, scope: pause.scope, detail };
  const refusal = code === null ? undefined : refusals[code];
  if (refusal) return { code: refusal, detail };
  if (status === 429) return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS, detail };
  return { code: 'temporary', mayHaveBeenSent: true, ...(retryAfterMs !== null && { retryAfterMs }), detail };
}
