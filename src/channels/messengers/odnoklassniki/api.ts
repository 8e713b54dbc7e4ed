import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, refusedBy } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Settings, usualRoot } from './settings.ts';

const Success = Type.Union([Type.Object({}), Type.Array(Type.Unknown())]);

/** Failures have the status 200 too. */
const Failure = Type.Object({
  error_code: Type.Integer(),
  error_msg: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

type OkCall = {
  method: 'GET' | 'POST';
  /** The part after `graph/me`. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  signal?: AbortSignal;
  now?: Date;
};

/** Throws what `Outbound.request` throws. */
export async function callOk(
  http: Outbound,
  { access_token, api_root }: Settings,
  { method, path, query, body, signal, now = new Date(0) }: OkCall,
): Promise<Answered> {
  const search = new URLSearchParams({ ...query, access_token });
  const answer = await http.request({
    url: `${apiRootOf(api_root, usualRoot)}/graph/me/${path}?${search}`,
    method,
    ...(body && {
      headers: { 'content-type': 'application/json;charset=utf-8' },
      body: JSON.stringify(body),
    }),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(signal && { signal }),
  });
  return okAnswer(answer, access_token, now);
}

function okAnswer(answer: OutboundAnswer, token: string, now: Date): Answered {
  const value = answer.truncated ? undefined : jsonIn(answer.body);
  const failure = Value.Check(Failure, value) ? value : null;
  if (answer.status === 200 && Value.Check(Success, value) && !failure) return { ok: true, body: value };
  const { error_code: code = null, error_msg: words } = failure ?? {};
  return refusedBy(answer, { by: 'Odnoklassniki', code, words, secrets: [token], now });
}
