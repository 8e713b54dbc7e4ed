import type { SendError, SendErrorCode } from '../contract/errors.ts';
import type { GraphAnswer } from './graph.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

/** The meaning of a Meta messenger's error codes. */
export type GraphRefusals = {
  /** By code, or by code and subcode: `10/2018278`. `10/0` is the code without a subcode. A retry changes nothing. */
  refusals: { readonly [code: string]: Final };
  /** By code: pauses for rate limits whose answers contain no time. */
  pauses: { readonly [code: number]: { ms: number; scope: 'chat' | 'channel' } };
  /** Codes of temporary errors on Meta's side. */
  troubles: readonly number[];
};

const DEFAULT_PAUSE_MS = 1_000;

/** The error of a refused call for its message. */
export const graphErrorOf =
  ({ refusals, pauses, troubles }: GraphRefusals) =>
  ({ status, code, subcode, detail, retryAfterMs }: Extract<GraphAnswer, { ok: false }>): SendError => {
    const pause = code === null ? undefined : pauses[code];
    if (pause)
      return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? pause.ms, scope: pause.scope, detail };
    const refusal = refusals[`${code}/${subcode ?? 0}`] ?? refusals[`${code}`];
    if (refusal) return { code: refusal, detail };
    if (status === 429)
      return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS, detail };
    if (status === 401) return { code: 'auth', detail };
    if (code !== null && status >= 400 && status < 500 && !troubles.includes(code))
      return { code: 'bad_content', detail };
    return {
      code: 'temporary',
      mayHaveBeenSent: true,
      ...(retryAfterMs !== null && { retryAfterMs }),
      detail,
    };
  };
