import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Settings, usualRoot } from './settings.ts';

/** Max's answer. `code` is null if another server on the way answered. */
export type MaxAnswer =
  | { ok: true; body: object }
  | { ok: false; status: number; code: string | null; detail: string; retryAfterMs: number | null };

export type Refused = Extract<MaxAnswer, { ok: false }>;

const Failure = Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) });
/** The form in which some methods refuse, with the status 200. */
const Unsuccessful = Type.Object({
  success: Type.Literal(false),
  message: Type.Optional(Type.String()),
});

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

type MaxCall = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: object;
  signal?: AbortSignal;
  now?: Date;
};

/** Throws what `Outbound.request` throws. */
export async function callMax(
  http: Outbound,
  { access_token, api_root, ca }: Settings,
  { method, path, query, body, signal, now = new Date(0) }: MaxCall,
): Promise<MaxAnswer> {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const answer = await http.request({
    url: `${apiRootOf(api_root, usualRoot)}/${path}${search}`,
    method,
    headers: { authorization: access_token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(ca && { ca }),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(signal && { signal }),
  });
  return maxAnswer(answer, access_token, now);
}

export function maxAnswer(
  { status, headers, body, truncated }: OutboundAnswer,
  token: string,
  now: Date,
): MaxAnswer {
  const value = truncated ? undefined : jsonIn(body);
  const failure = Value.Check(Failure, value) ? value : null;
  const refusal = Value.Check(Unsuccessful, value) ? value : failure;
  if (status === 200 && typeof value === 'object' && value !== null && !refusal)
    return { ok: true, body: value };
  const detail = refusal?.message || failure?.code || `Max answered ${status}.`;
  return {
    ok: false,
    status,
    code: failure?.code ?? null,
    detail: readableWords(detail, [token]),
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  };
}

/** Also for the person who adds the channel. */
export class MaxRefused extends Error {
  readonly answer: Refused;
  constructor(answer: Refused) {
    super(`Max refused: ${answer.detail}`);
    this.answer = answer;
  }
}

/** The data in Max's answer. Throws `MaxRefused`. */
export function given(answer: MaxAnswer): object {
  if (!answer.ok) throw new MaxRefused(answer);
  return answer.body;
}
