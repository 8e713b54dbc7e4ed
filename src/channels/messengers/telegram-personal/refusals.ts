import type { SendError } from '../../contract/errors.ts';
import type { Final } from '../../shared/refusals.ts';
import type { Refused } from './account.ts';

type Row = { says: RegExp; means: Final };

/** The meaning of permanent errors: the first matching row wins. Source: core.telegram.org/api/errors. */
const refusals: readonly Row[] = [
  { says: /^(AUTH_KEY|SESSION_|USER_DEACTIVATED|PHONE_NUMBER_BANNED|API_ID_|FROZEN_)/, means: 'auth' },
  { says: /^(USER_IS_BLOCKED|YOU_BLOCKED_USER|CHAT_WRITE_FORBIDDEN)/, means: 'blocked' },
  {
    says: /^(USER_PRIVACY_RESTRICTED|PRIVACY_PREMIUM_REQUIRED|PEER_FLOOD|ALLOW_PAYMENT_REQUIRED)/,
    means: 'not_opted_in',
  },
  {
    says: /^(USERNAME_|PHONE_NOT_OCCUPIED|PHONE_NUMBER_INVALID|PEER_ID_|USER_ID_|INPUT_USER_DEACTIVATED|USER_BOT)/,
    means: 'invalid_recipient',
  },
];

/** Translates an RPC error into an error of the catalogue. */
export function errorOf({ code, text, seconds }: Refused): SendError {
  const detail = text;
  if (code === 420 && seconds !== null) {
    const scope = text.startsWith('SLOWMODE') ? 'chat' : 'channel';
    return { code: 'rate_limited', retryAfterMs: seconds * 1000, scope, detail };
  }
  const row = refusals.find(({ says }) => says.test(text));
  if (row) return { code: row.means, detail };
  if (code === 401) return { code: 'auth', detail };
  if (code >= 400 && code < 500 && code !== 420) return { code: 'bad_content', detail };
  return { code: 'temporary', mayHaveBeenSent: true, detail };
}

export const isLoggedOut = (refused: Refused): boolean => errorOf(refused).code === 'auth';
