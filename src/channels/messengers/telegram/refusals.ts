import type { SendError } from '../../contract/errors.ts';
import { type Final, slowedDown } from '../../shared/refusals.ts';
import type { BotAnswer } from './bot-api.ts';

type Refusal = { code: number; says?: RegExp; means: Final };

/** The meaning of Telegram's final refusals: the first row whose code and words match. */
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
  // The address of every method contains the token: a malformed token is not found.
  { code: 404, means: 'auth' },
  { code: 413, means: 'bad_content' },
];

/** The error of a refused call for its message. If Telegram is in trouble, it may have sent the message. */
export function errorOf(answer: Extract<BotAnswer, { ok: false }>): SendError {
  const { code, description: detail, retryAfterMs } = answer;
  if (code === 429) return slowedDown({ detail, retryAfterMs });
  const refusal = refusals.find((row) => row.code === code && (row.says?.test(detail) ?? true));
  return refusal ? { code: refusal.means, detail } : { code: 'temporary', mayHaveBeenSent: true, detail };
}
