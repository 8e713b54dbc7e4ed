import Type from 'typebox';
import { Value } from 'typebox/value';
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import type { SendError } from '../../contract/errors.ts';
import { isPage, refusedBy } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { errorBy } from '../../shared/refusals.ts';

/** Only 400 is documented. */
const refusals = {
  400: 'bad_content',
  401: 'auth',
  403: 'auth',
  404: 'invalid_recipient',
  413: 'bad_content',
  422: 'bad_content',
} as const;

const byCode = errorBy({ refusals });

const maybeText = Type.Optional(Type.String());

const Failure = Type.Object({ error: maybeText, detailed_error: maybeText, message: maybeText });

/** The error of any other response. Auto.ru identifies a message by its id, so a retry sends no second one. */
export function errorOf(answer: OutboundAnswer, token: string, now: Date): SendError {
  const value = jsonIn(answer.body);
  const { detailed_error, message, error } = Value.Check(Failure, value) ? value : {};
  const words = detailed_error ?? message ?? error;
  const code = isPage(answer) ? null : answer.status;
  return byCode(refusedBy(answer, { by: 'Auto.ru', code, words, secrets: [token], now }));
}
