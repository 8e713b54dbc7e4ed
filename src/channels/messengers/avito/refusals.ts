import Type from 'typebox';
import { Value } from 'typebox/value';
import { errorBy, type Refusals } from '../../shared/refusals.ts';

/** 402 and 403 mean that the account's tariff has no messages by API. */
const refusals: Refusals['refusals'] = {
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
const pauses: Refusals['pauses'] = { 429: { ms: 5_000 } };

export const errorOf = errorBy({ refusals, pauses });

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
