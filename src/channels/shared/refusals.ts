import type { SendError, SendErrorCode } from '../contract/errors.ts';
import type { Refused } from './answer.ts';

/** A refusal that a retry does not change. */
export type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

/** The pause for a rate limit whose answers contain no time. */
export type Pause = { ms: number; scope?: 'chat' | 'channel' };

/** The meaning of a provider's codes. */
export type Refusals = {
  refusals: { readonly [code: string]: Final };
  pauses?: { readonly [code: number]: Pause };
  /** The codes of temporary errors, where any other unknown code refuses the message for good. */
  troubles?: readonly number[];
};

type Hint = { detail: string; retryAfterMs: number | null };

export const slowedDown = ({ detail, retryAfterMs }: Hint, pause: Pause = { ms: 1_000 }): SendError => ({
  code: 'rate_limited',
  retryAfterMs: retryAfterMs ?? pause.ms,
  ...(pause.scope && { scope: pause.scope }),
  detail,
});

export const inTrouble = ({ detail, retryAfterMs }: Hint, mayHaveBeenSent = true): SendError => ({
  code: 'temporary',
  mayHaveBeenSent,
  ...(retryAfterMs !== null && { retryAfterMs }),
  detail,
});

/** The error of a refused call for its message. A provider in trouble may have sent the message. */
export const errorBy =
  ({ refusals, pauses = {}, troubles }: Refusals) =>
  (refused: Refused): SendError => {
    const { status, code, detail } = refused;
    const pause = code === null ? undefined : pauses[code];
    if (pause) return slowedDown(refused, pause);
    const refusal = code === null ? undefined : refusals[code];
    if (refusal) return { code: refusal, detail };
    if (status === 429) return slowedDown(refused);
    const isFinal = troubles && code !== null && status < 500 && !troubles.includes(code);
    return isFinal ? { code: 'bad_content', detail } : inTrouble(refused);
  };
