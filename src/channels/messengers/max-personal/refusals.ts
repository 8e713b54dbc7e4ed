import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import type { Refused } from './gateway.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;
type Refusal = { status: number; says?: RegExp; means: Final | 'not_now' };

/** What the gateway's refusals mean: the first row whose status and words fit. None of these was sent. */
const refusals: readonly Refusal[] = [
  { status: 400, says: /expired|deleted/i, means: 'auth' },
  // The instance starts, also after its settings have changed, or has to be logged in to.
  { status: 400, says: /starting|not authorized/i, means: 'not_now' },
  { status: 400, says: /chatId|phoneNumber/, means: 'invalid_recipient' },
  { status: 400, means: 'bad_content' },
  { status: 401, means: 'auth' },
  { status: 403, says: /suspended/i, means: 'not_now' },
  { status: 403, means: 'auth' },
  { status: 413, means: 'bad_content' },
];

/** Pauses for limits, whose answers name none. A quota of the plan, 466, ends when the plan is changed. */
const pauses: { readonly [status: number]: { ms: number; scope: 'chat' | 'channel' } } = {
  429: { ms: 1_000, scope: 'channel' },
  466: { ms: 600_000, scope: 'chat' },
};

/** What a refused call means for its message. Where the gateway is in trouble, nobody knows whether it sent. */
export function errorOf({ status, isPage, detail, retryAfterMs }: Refused): SendError {
  const pause = pauses[status];
  if (pause)
    return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? pause.ms, scope: pause.scope, detail };
  const hint = retryAfterMs === null ? {} : { retryAfterMs };
  const refusal = refusals.find((row) => row.status === status && (row.says?.test(detail) ?? true));
  if (isPage || !refusal) return { code: 'temporary', mayHaveBeenSent: true, ...hint, detail };
  if (refusal.means === 'not_now') return { code: 'temporary', mayHaveBeenSent: false, ...hint, detail };
  return { code: refusal.means, detail };
}
