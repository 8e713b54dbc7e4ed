import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import type { SendError, SendErrorCode } from '../../contract/errors.ts';

type Refusal = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

/** What a receiver's 4xx says of the message; every other one is about its content. */
const refusals: Record<number, Refusal> = {
  // Our signature was refused: so will be the next message's, hence the channel pauses.
  401: 'auth',
  403: 'blocked',
  404: 'invalid_recipient',
  410: 'invalid_recipient',
};

const DEFAULT_PAUSE_MS = 1000;

/** What an answer outside 2xx means. A redirect is followed nowhere: until it is gone, we try again. */
export function errorOf({ status, headers, body }: OutboundAnswer, now: Date): SendError {
  const detail = `The receiver answered ${status}.`;
  const pauseMs = retryAfterMs(headers['retry-after'], now);
  if (status === 429) {
    const retryAfterMs = pauseMs ?? DEFAULT_PAUSE_MS;
    return { code: 'rate_limited', retryAfterMs, ...(isOfChat(body) && { scope: 'chat' }), detail };
  }
  if (status >= 400 && status < 500) return { code: refusals[status] ?? 'bad_content', detail };
  return {
    code: 'temporary',
    mayHaveBeenSent: true,
    ...(pauseMs !== null && { retryAfterMs: pauseMs }),
    detail,
  };
}

/** `{"scope": "chat"}`: this chat has had too much, and others have not. */
function isOfChat(body: Buffer): boolean {
  try {
    return JSON.parse(body.toString())?.scope === 'chat';
  } catch {
    return false;
  }
}
