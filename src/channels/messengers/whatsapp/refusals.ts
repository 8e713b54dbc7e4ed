import { type GraphRefusals, graphErrorOf } from '../../shared/graph-refusals.ts';

<<<<<<< HEAD
/** The Cloud API's codes for refusals that a retry does not change. */
const refusals: { readonly [code: number]: Final } = {
=======
/** The Cloud API's codes for refusals that another try does not change. */
const refusals: GraphRefusals['refusals'] = {
>>>>>>> wt-i
  131047: 'window_closed',
  131026: 'invalid_recipient',
  131021: 'invalid_recipient',
  131030: 'invalid_recipient',
  131049: 'not_opted_in',
  131050: 'not_opted_in',
  100: 'bad_content',
  131008: 'bad_content',
  131009: 'bad_content',
  131051: 'bad_content',
  131052: 'bad_content',
  131053: 'bad_content',
  132000: 'bad_content',
  132001: 'bad_content',
  132005: 'bad_content',
  132007: 'bad_content',
  132012: 'bad_content',
  132015: 'bad_content',
  132016: 'bad_content',
  132068: 'bad_content',
  135000: 'bad_content',
  0: 'auth',
  3: 'auth',
  10: 'auth',
  190: 'auth',
  200: 'auth',
  368: 'auth',
  131005: 'auth',
  131031: 'auth',
  131042: 'auth',
  131045: 'auth',
  133010: 'auth',
};

<<<<<<< HEAD
/** Pauses for rate limits whose answers contain no time. */
const pauses: { readonly [code: number]: { ms: number; scope: 'chat' | 'channel' } } = {
=======
/** Pauses for rate limits whose answer names none. */
const pauses: GraphRefusals['pauses'] = {
>>>>>>> wt-i
  131056: { ms: 6_000, scope: 'chat' },
  4: { ms: 5_000, scope: 'channel' },
  80007: { ms: 5_000, scope: 'channel' },
  130429: { ms: 1_000, scope: 'channel' },
  131048: { ms: 10_000, scope: 'channel' },
  133016: { ms: 10_000, scope: 'channel' },
};

/** Meta's own: an unknown error, a service that is away. */
const troubles = [1, 2, 130472, 131000, 131016, 131057, 133004];

<<<<<<< HEAD
/** The error of a refused call for its message. */
export function errorOf({
  status,
  code,
  detail,
  retryAfterMs,
}: Extract<GraphAnswer, { ok: false }>): SendError {
  const pause = code === null ? undefined : pauses[code];
  if (pause)
    return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? pause.ms, scope: pause.scope, detail };
  const refusal = code === null ? undefined : refusals[code];
  if (refusal) return { code: refusal, detail };
  if (status === 429) return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS, detail };
  if (status === 401) return { code: 'auth', detail };
  if (code !== null && status >= 400 && status < 500 && !isTrouble(code))
    return { code: 'bad_content', detail };
  return { code: 'temporary', mayHaveBeenSent: true, ...(retryAfterMs !== null && { retryAfterMs }), detail };
}

/** Meta's own errors: an unknown error, an unavailable service. */
const isTrouble = (code: number): boolean => [1, 2, 130472, 131000, 131016, 131057, 133004].includes(code);
=======
/** What a refused call means for its message. */
export const errorOf = graphErrorOf({ refusals, pauses, troubles });
>>>>>>> wt-i
