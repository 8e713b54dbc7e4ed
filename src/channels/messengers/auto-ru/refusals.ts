import Type from 'typebox';
import { Value } from 'typebox/value';
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import { isPage, readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

/** Only 400 is documented. */
const refusals: { readonly [status: number]: Final } = {
  400: 'bad_content',
  401: 'auth',
  403: 'auth',
  404: 'invalid_recipient',
  413: 'bad_content',
  422: 'bad_content',
};

const DEFAULT_PAUSE_MS = 1_000;

/** The error of any other response. Auto.ru identifies a message by its id, so a retry sends no second one. */
export function errorOf(answer: OutboundAnswer, token: string, now: Date): SendError {
  const { status, headers } = answer;
  const detail = detailOf(answer, token);
  const pauseMs = retryAfterMs(headers['retry-after'], now);
  if (status === 429) return { code: 'rate_limited', retryAfterMs: pauseMs ?? DEFAULT_PAUSE_MS, detail };
  const refusal = isPage(answer) ? undefined : refusals[status];
  if (refusal) return { code: refusal, detail };
  return {
    code: 'temporary',
    mayHaveBeenSent: true,
    ...(pauseMs !== null && { retryAfterMs: pauseMs }),
    detail,
  };
}

const Failure = Type.Object({
  error: Type.Optional(Type.String()),
  detailed_error: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
});

function detailOf({ status, body }: OutboundAnswer, token: string): string {
  const value = jsonIn(body);
  const words = Value.Check(Failure, value) ? (value.detailed_error ?? value.message ?? value.error) : null;
  return readableWords(words || `Auto.ru answered ${status}.`, [token]);
}
