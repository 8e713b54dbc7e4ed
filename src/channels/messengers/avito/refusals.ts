import Type from 'typebox';
import { Value } from 'typebox/value';
import type { SendError, SendErrorCode } from '../../contract/errors.ts';
import type { Refused } from './api.ts';

type Final = Exclude<SendErrorCode, 'rate_limited' | 'temporary'>;

/** 402 and 403 mean that the account's tariff has no messages by API. */
const refusals: { readonly [status: number]: Final } = {
  400: 'bad_content',
  401: 'auth',
  402: 'auth',
  403: 'auth',
  404: 'invalid_recipient',
  413: 'bad_content',
  415: 'bad_content',
  422: 'bad_content',
};

/** Avito's limits are per minute. Its answers contain the remainder, but no time. */
const DEFAULT_PAUSE_MS = 5_000;

export function errorOf({ status, isOwn, detail, retryAfterMs }: Refused): SendError {
  if (status === 429) return { code: 'rate_limited', retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS, detail };
  const refusal = isOwn ? refusals[status] : undefined;
  if (refusal) return { code: refusal, detail };
  return { code: 'temporary', mayHaveBeenSent: true, ...(retryAfterMs !== null && { retryAfterMs }), detail };
}

const maybeText = Type.Optional(Type.String());

/** The forms of refusals: of the API, of its check of tokens, and of OAuth. */
const Failure = Type.Union([
  Type.Object({ error: Type.Object({ message: maybeText }) }),
  Type.Object({ result: Type.Object({ status: Type.Literal(false), message: maybeText }) }),
  Type.Object({ error: Type.String(), error_description: maybeText }),
]);

/** The refusal in a body. Null if there is none. */
export function failureIn(body: unknown): { words: string | undefined } | null {
  if (!Value.Check(Failure, body)) return null;
  if ('result' in body) return { words: body.result.message };
  if ('error_description' in body) return { words: body.error_description };
  return { words: typeof body.error === 'string' ? body.error : body.error.message };
}
