import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import type { Refused } from './api.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

const refusals: { readonly [status: number]: Final } = {
  400: 'bad_content',
  401: 'auth',
  404: 'invalid_recipient',
  413: 'bad_content',
  422: 'bad_content',
};

/** A 403 is about the key, the seller's subscription, or this chat. Only its text shows which. */
const aboutSeller = /api-?key|client-?id|company|premium|subscription|подписк/i;

const DEFAULT_PAUSE_MS = 1_000;

export function errorOf({ status, isOwn, detail, retryAfterMs }: Refused): SendError {
  if (status === 429) return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS, detail };
  if (isOwn && status === 403) return { code: aboutSeller.test(detail) ? 'auth' : 'window_closed', detail };
  const refusal = isOwn ? refusals[status] : undefined;
  if (refusal) return { code: refusal, detail };
  return { code: 'temporary', mayHaveBeenSent: true, ...(retryAfterMs !== null && { retryAfterMs }), detail };
}
