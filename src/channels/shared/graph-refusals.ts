import type { SendError } from '../contract/errors.ts';
import type { GraphRefused } from './graph.ts';
import { inTrouble, type Refusals, slowedDown } from './refusals.ts';

/** The meaning of a Meta messenger's error codes. */
export type GraphRefusals = {
  /** By code, or by code and subcode: `10/2018278`. `10/0` is the code without a subcode. */
  refusals: Refusals['refusals'];
  pauses: NonNullable<Refusals['pauses']>;
  /** Codes of temporary errors on Meta's side. */
  troubles: readonly number[];
};

/** The codes of the Graph API itself, which mean the same in every messenger. */
const common: GraphRefusals = {
  refusals: { 0: 'auth', 3: 'auth', 190: 'auth', 368: 'auth', 100: 'bad_content' },
  pauses: { 4: { ms: 5_000, scope: 'channel' } },
  troubles: [1, 2],
};

/** The error of a refused call for its message. */
export function graphErrorBy(own: GraphRefusals): (refused: GraphRefused) => SendError {
  const refusals = { ...common.refusals, ...own.refusals };
  const pauses = { ...common.pauses, ...own.pauses };
  const troubles = [...common.troubles, ...own.troubles];
  return (refused) => {
    const { status, code, subcode, detail } = refused;
    const pause = code === null ? undefined : pauses[code];
    if (pause) return slowedDown(refused, pause);
    const refusal = refusals[`${code}/${subcode ?? 0}`] ?? refusals[`${code}`];
    if (refusal) return { code: refusal, detail };
    if (status === 429) return slowedDown(refused);
    if (status === 401) return { code: 'auth', detail };
    const isKnown = code !== null && status >= 400 && status < 500 && !troubles.includes(code);
    return isKnown ? { code: 'bad_content', detail } : inTrouble(refused);
  };
}
