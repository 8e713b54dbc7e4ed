import { type GraphRefusals, graphErrorBy } from '../../shared/graph-refusals.ts';

/** The Cloud API's codes for refusals that a retry does not change. */
const refusals: GraphRefusals['refusals'] = {
  131047: 'window_closed',
  131026: 'invalid_recipient',
  131021: 'invalid_recipient',
  131030: 'invalid_recipient',
  131049: 'not_opted_in',
  131050: 'not_opted_in',
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
  10: 'auth',
  200: 'auth',
  131005: 'auth',
  131031: 'auth',
  131042: 'auth',
  131045: 'auth',
  133010: 'auth',
};

/** Pauses for rate limits whose answers contain no time. */
const pauses: GraphRefusals['pauses'] = {
  131056: { ms: 6_000, scope: 'chat' },
  80007: { ms: 5_000, scope: 'channel' },
  130429: { ms: 1_000, scope: 'channel' },
  131048: { ms: 10_000, scope: 'channel' },
  133016: { ms: 10_000, scope: 'channel' },
};

/** Meta's own errors: an unknown error, an unavailable service. */
const troubles = [130472, 131000, 131016, 131057, 133004];

/** The error of a refused call for its message. */
export const errorOf = graphErrorBy({ refusals, pauses, troubles });
