import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, refusedBy } from '../../shared/answer.ts';
import { type ApiAnswer, type Attempt, callApi } from '../../shared/call.ts';
import { type Settings, usualRoot } from './settings.ts';

const Success = Type.Union([Type.Object({}), Type.Array(Type.Unknown())]);

/** Failures have the status 200 too. */
const Failure = Type.Object({
  error_code: Type.Integer(),
  error_msg: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** Odnoklassniki requires the character set too. */
const jsonHeaders = { 'content-type': 'application/json;charset=utf-8' };

export type OkCall = Attempt & {
  method: 'GET' | 'POST';
  /** The part after `graph/me`. */
  path: string;
  query?: Record<string, string>;
  body?: object;
};

/** Throws what `Outbound.request` throws. */
export async function callOk(
  http: Outbound,
  { access_token, api_root }: Settings,
  { method, path, query, body, signal, now = new Date(0) }: OkCall,
): Promise<Answered> {
  const search = new URLSearchParams({ ...query, access_token });
  const answer = await callApi(http, {
    url: `${apiRootOf(api_root, usualRoot)}/graph/me/${path}?${search}`,
    method,
    ...(body && { headers: jsonHeaders, json: body }),
    signal,
  });
  return okAnswer(answer, access_token, now);
}

function okAnswer(answer: ApiAnswer, token: string, now: Date): Answered {
  const { value } = answer;
  const failure = Value.Check(Failure, value) ? value : null;
  if (answer.status === 200 && Value.Check(Success, value) && !failure) return { ok: true, body: value };
  const { error_code: code = null, error_msg: words } = failure ?? {};
  return refusedBy(answer, { by: 'Odnoklassniki', code, words, secrets: [token], now });
}
