import type { SendError } from '../../contract/errors.ts';
import type { Refused } from '../../shared/answer.ts';
import { errorBy } from '../../shared/refusals.ts';

const refusals = {
  400: 'bad_content',
  401: 'auth',
  404: 'invalid_recipient',
  413: 'bad_content',
  422: 'bad_content',
} as const;

/** A 403 is about the key, the seller's subscription, or this chat. Only its text shows which. */
const aboutSeller = /api-?key|client-?id|company|premium|subscription|подписк/i;

const byCode = errorBy({ refusals });

export function errorOf(refused: Refused): SendError {
  const { code, detail } = refused;
  if (code === 403) return { code: aboutSeller.test(detail) ? 'auth' : 'window_closed', detail };
  return byCode(refused);
}
