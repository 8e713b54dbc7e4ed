import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import type { SendError } from '../../contract/errors.ts';
import { type Final, inTrouble, slowedDown } from '../../shared/refusals.ts';

/** The reason for each 4xx status of a receiver. Any other status is about the content. */
const refusals: Record<number, Final> = {
  // Our signature was refused. The next message's would be too, so the channel pauses.
  401: 'auth',
  403: 'blocked',
  404: 'invalid_recipient',
  410: 'invalid_recipient',
};

/** The error for a response outside 2xx. Redirects are not followed: the call is retried. */
export function errorOf({ status, headers, body }: OutboundAnswer, now: Date): SendError {
  const detail = `The receiver answered ${status}.`;
  const hint = { detail, retryAfterMs: retryAfterMs(headers['retry-after'], now) };
  if (status === 429) return slowedDown(hint, { ms: 1_000, ...(isOfChat(body) && { scope: 'chat' }) });
  if (status >= 400 && status < 500) return { code: refusals[status] ?? 'bad_content', detail };
  return inTrouble(hint);
}

/** `{"scope": "chat"}`: the limit is for this chat alone. */
function isOfChat(body: Buffer): boolean {
  try {
    return JSON.parse(body.toString())?.scope === 'chat';
  } catch {
    return false;
  }
}
