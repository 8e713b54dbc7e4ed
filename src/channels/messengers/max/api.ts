import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, type Refused, refusedBy } from '../../shared/answer.ts';
import { type ApiAnswer, type Attempt, callApi, queryOf } from '../../shared/call.ts';
import { type Settings, usualRoot } from './settings.ts';

export type MaxAnswer = Answered<unknown, string>;
export type MaxRefused = Refused<string>;

const Success = Type.Union([Type.Object({}), Type.Array(Type.Unknown())]);
const Failure = Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) });
/** The form in which some methods refuse, with the status 200. */
const Unsuccessful = Type.Object({
  success: Type.Literal(false),
  message: Type.Optional(Type.String()),
});

export type MaxCall = Attempt & {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: object;
};

/** Throws what `Outbound.request` throws. */
export async function callMax(
  http: Outbound,
  { access_token, api_root, ca }: Settings,
  { method, path, query, body, signal, now = new Date(0) }: MaxCall,
): Promise<MaxAnswer> {
  const answer = await callApi(http, {
    url: `${apiRootOf(api_root, usualRoot)}/${path}${queryOf(query)}`,
    method,
    headers: { authorization: access_token },
    json: body,
    ...(ca && { ca }),
    signal,
  });
  return maxAnswer(answer, access_token, now);
}

export function maxAnswer(answer: ApiAnswer, token: string, now: Date): MaxAnswer {
  const { value } = answer;
  const failure = Value.Check(Failure, value) ? value : null;
  const refusal = Value.Check(Unsuccessful, value) ? value : failure;
  if (answer.status === 200 && Value.Check(Success, value) && !refusal) return { ok: true, body: value };
  const code = failure?.code ?? null;
  return refusedBy(answer, { by: 'Max', code, words: refusal?.message || code, secrets: [token], now });
}
