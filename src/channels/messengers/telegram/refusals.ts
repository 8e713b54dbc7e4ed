import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import type { BotAnswer } from './bot-api.ts';

type Refusal = { code: number; says?: RegExp; means: Exclude<SendErrorCode, 'rate_limited' | 'temporary'> };

/** What Telegram's final refusals mean: the first row whose code and words fit. */
const refusals: readonly Refusal[] = [
  {
    code: 400,
    says: /chat not found|user not found|PEER_ID_INVALID|chat_id is empty/i,
    means: 'invalid_recipient',
  },
  { code: 400, says: /group chat was upgraded|chat was deleted/i, means: 'invalid_recipient' },
  { code: 400, says: /have no rights to send|not enough rights|CHAT_WRITE_FORBIDDEN/i, means: 'blocked' },
  { code: 400, means: 'bad_content' },
  { code: 401, means: 'auth' },
  {
    code: 403,
    says: /user is deactivated|messages to bots|messages to the user/i,
    means: 'invalid_recipient',
  },
  { code: 403, says: /can't initiate conversation/i, means: 'not_opted_in' },
  { code: 403, means: 'blocked' },
  // The address of every method holds the token: one that is not even of the right form leads nowhere.
  { code: 404, means: 'auth' },
  { code: 413, means: 'bad_content' },
];

const DEFAULT_PAUSE_MS = 1000;

/** What a refused call means for its message. Where Telegram is in trouble, nobody knows whether it sent. */
export function errorOf(answer: Extract<BotAnswer, { ok: false }>): SendError {
  const { code, description: detail, retryAfterMs } = answer;
  if (code === 429) return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS, detail };
  const refusal = refusals.find((row) => row.code === code && (row.says?.test(detail) ?? true));
  return refusal ? { code: refusal.means, detail } : { code: 'temporary', mayHaveBeenSent: true, detail };
}
