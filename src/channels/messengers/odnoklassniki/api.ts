import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Settings, usualRoot } from './settings.ts';

/** The answer of Odnoklassniki. `code` is null if another server on the way answered. */
export type OkAnswer =
  | { ok: true; body: object }
  | { ok: false; status: number; code: number | null; detail: string; retryAfterMs: number | null };

export type Refused = Extract<OkAnswer, { ok: false }>;

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
): Promise<OkAnswer> {
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

function okAnswer({ status, headers, body, truncated }: OutboundAnswer, token: string, now: Date): OkAnswer {
  const value = truncated ? undefined : jsonIn(body);
  const failure = Value.Check(Failure, value) ? value : null;
  if (status === 200 && typeof value === 'object' && value !== null && !failure)
    return { ok: true, body: value };
  const detail = failure?.error_msg ?? `Odnoklassniki answered ${status}.`;
  return {
    ok: false,
    status,
    code: failure?.error_code ?? null,
    detail: readableWords(detail, [token]),
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  };
}

/** Also for the person who adds the channel. */
export class OkRefused extends Error {
  readonly answer: Refused;
  constructor(answer: Refused) {
    super(`Odnoklassniki refused: ${answer.detail}`);
    this.answer = answer;
  }
}

/** The data in the answer. Throws `OkRefused`. */
export function given(answer: OkAnswer): object {
  if (!answer.ok) throw new OkRefused(answer);
  return answer.body;
}
