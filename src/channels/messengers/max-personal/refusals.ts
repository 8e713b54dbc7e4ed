import type { SendError } from '../../contract/errors.ts';
import { type Final, inTrouble, type Pause, slowedDown } from '../../shared/refusals.ts';
import type { Refused } from './gateway.ts';

type Refusal = { status: number; says?: RegExp; means: Final | 'not_now' };

/** The meaning of the gateway's refusals: the first row whose status and words match. None of these was sent. */
const refusals: readonly Refusal[] = [
  { status: 400, says: /expired|deleted/i, means: 'auth' },
  // The instance is starting, also after a change of its settings, or needs a login.
  { status: 400, says: /starting|not authorized/i, means: 'not_now' },
  { status: 400, says: /chatId|phoneNumber/, means: 'invalid_recipient' },
  { status: 400, means: 'bad_content' },
  { status: 401, means: 'auth' },
  { status: 403, says: /suspended/i, means: 'not_now' },
  { status: 403, means: 'auth' },
  { status: 413, means: 'bad_content' },
];

/** Pauses for limits whose answers contain no time. A quota of the plan, 466, ends with a change of the plan. */
const pauses: { readonly [status: number]: Pause } = {
  429: { ms: 1_000, scope: 'channel' },
  466: { ms: 600_000, scope: 'chat' },
};

/** The error of a refused call for its message. If the gateway is in trouble, it may have sent the message. */
export function errorOf(refused: Refused): SendError {
  const { status, isOwn, detail } = refused;
  const pause = pauses[status];
  if (pause) return slowedDown(refused, pause);
  const refusal = refusals.find((row) => row.status === status && (row.says?.test(detail) ?? true));
  if (!isOwn || !refusal) return inTrouble(refused);
  return refusal.means === 'not_now' ? inTrouble(refused, false) : { code: refusal.means, detail };
}
