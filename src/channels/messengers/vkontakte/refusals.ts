import type { SendError } from '../../contract/errors.ts';
import type { Refused } from '../../shared/answer.ts';
import { errorBy, type Refusals } from '../../shared/refusals.ts';

/** VK's codes for refusals that a retry does not change. */
const refusals: Refusals['refusals'] = {
  900: 'blocked',
  901: 'blocked',
  902: 'blocked',
  18: 'invalid_recipient',
  113: 'invalid_recipient',
  936: 'invalid_recipient',
  917: 'invalid_recipient',
  950: 'window_closed',
  100: 'bad_content',
  911: 'bad_content',
  912: 'bad_content',
  914: 'bad_content',
  924: 'bad_content',
  925: 'bad_content',
  5: 'auth',
  7: 'auth',
  15: 'auth',
  17: 'auth',
  27: 'auth',
  28: 'auth',
};

/** Pauses for VK's rate limits, whose answers contain no time. */
const pauses: Refusals['pauses'] = {
  6: { ms: 1_000, scope: 'channel' },
  9: { ms: 5_000, scope: 'chat' },
  29: { ms: 10_000, scope: 'channel' },
};

/** Temporary errors on VK's side. A captcha is asked for after many calls. */
const troubles = [1, 10, 14, 43];

const meaningOf = errorBy({ refusals, pauses, troubles });

const botsOff = 'VK takes no buttons: switch on “Bot abilities” (Возможности ботов) of the community.';

/** The error of a refused call for its message. VK knows a repeated message by its `random_id`. */
export const errorOf = (refused: Refused): SendError =>
  meaningOf(refused.code === 912 ? { ...refused, detail: botsOff } : refused);
