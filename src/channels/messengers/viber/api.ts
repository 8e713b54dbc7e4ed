import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Settings, usualRoot } from './settings.ts';

/** Viber's answer. `code` is null if another server on the way answered. */
export type ViberAnswer =
  | { ok: true; body: unknown }
  | { ok: false; status: number; code: number | null; detail: string; retryAfterMs: number | null };

export type Refused = Extract<ViberAnswer, { ok: false }>;

type ViberCall = { method: string; body: object; signal?: AbortSignal; now?: Date };

/** Refusals have the HTTP status 200 too. */
const Outcome = Type.Object({ status: Type.Integer(), status_message: Type.Optional(Type.String()) });

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Calls a method. Throws what `Outbound.request` throws. */
export async function callViber(
  http: Outbound,
  { auth_token, api_root }: Settings,
  { method, body, signal, now = new Date(0) }: ViberCall,
): Promise<ViberAnswer> {
  const answer = await http.request({
    url: `${apiRootOf(api_root, usualRoot)}/pa/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-viber-auth-token': auth_token },
    body: JSON.stringify(body),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(signal && { signal }),
  });
  return viberAnswer(answer, auth_token, now);
}

function viberAnswer(
  { status, headers, body, truncated }: OutboundAnswer,
  token: string,
  now: Date,
): ViberAnswer {
  const value = truncated ? undefined : jsonIn(body);
  const outcome = Value.Check(Outcome, value) ? value : null;
  if (status === 200 && outcome?.status === 0) return { ok: true, body: value };
  const detail = outcome?.status_message ?? `Viber answered ${status}.`;
  return {
    ok: false,
    status,
    code: outcome?.status ?? null,
    detail: readableWords(detail, [token]),
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  };
}
