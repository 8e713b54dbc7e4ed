import { type GraphRefusals, graphErrorBy } from '../graph-refusals.ts';

/**
 * Source: developers.facebook.com, "Messenger Platform, common error codes". Other subcodes of 10 and 200 are about
 * one message.
 */
const refusals: GraphRefusals['refusals'] = {
  '10/2018065': 'window_closed',
  '10/2018278': 'window_closed',
  '10/2534022': 'window_closed',
  '10/2018108': 'blocked',
  '200/1545041': 'blocked',
  551: 'blocked',
  '100/2018001': 'invalid_recipient',
  '100/2534014': 'invalid_recipient',
  '10/0': 'auth',
  '200/0': 'auth',
  '200/2018028': 'auth',
  102: 'auth',
};

const pauses: GraphRefusals['pauses'] = {
  17: { ms: 5_000, scope: 'channel' },
  32: { ms: 5_000, scope: 'channel' },
  613: { ms: 5_000, scope: 'channel' },
  80002: { ms: 5_000, scope: 'channel' },
  80004: { ms: 5_000, scope: 'channel' },
  80006: { ms: 5_000, scope: 'channel' },
};

const troubles = [1200];

export const errorOf = graphErrorBy({ refusals, pauses, troubles });
