import { errorBy, type Refusals } from '../../shared/refusals.ts';

/**
 * The codes of Odnoklassniki for refusals that a retry does not change. 10 is any missing permission, perhaps the
 * group's own: it stops no chat.
 */
const refusals: Refusals['refusals'] = {
  10: 'not_opted_in',
  22: 'invalid_recipient',
  110: 'invalid_recipient',
  300: 'invalid_recipient',
  4: 'bad_content',
  100: 'bad_content',
  454: 'bad_content',
  500: 'bad_content',
  501: 'bad_content',
  504: 'bad_content',
  505: 'bad_content',
  101: 'auth',
  102: 'auth',
  103: 'auth',
  104: 'auth',
  451: 'auth',
  453: 'auth',
};

/** Pauses for limits whose answers contain no time. 7 stops the group for a time, and is no client's wish. */
const pauses: Refusals['pauses'] = {
  7: { ms: 60_000, scope: 'channel' },
  8: { ms: 5_000, scope: 'channel' },
  11: { ms: 10_000, scope: 'channel' },
  26: { ms: 10_000, scope: 'chat' },
};

/** The error of a refused call for its message. */
export const errorOf = errorBy({ refusals, pauses });
