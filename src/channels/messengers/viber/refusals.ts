import type { SendError } from '../../contract/errors.ts';
import type { Refused } from '../../shared/answer.ts';
import { errorBy, type Refusals } from '../../shared/refusals.ts';

/** Viber's codes for refusals that a retry does not change. Source: developers.viber.com, "Error codes". */
const refusals: Refusals['refusals'] = {
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
const pauses: Refusals['pauses'] = { 12: { ms: 5_000, scope: 'chat' } };

const byCode = errorBy({ refusals, pauses });

/** The error of a refused call for its message. After a refusal by Viber itself, nothing was sent. */
export function errorOf(refused: Refused): SendError {
  const error = byCode(refused);
  if (error.code !== 'temporary') return error;
  if (refused.status === 401) return { code: 'auth', detail: refused.detail };
  return { ...error, mayHaveBeenSent: refused.code === null || refused.code === 0 };
}
