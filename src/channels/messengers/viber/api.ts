import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, refusedBy } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Settings, usualRoot } from './settings.ts';

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
): Promise<Answered> {
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

function viberAnswer(answer: OutboundAnswer, token: string, now: Date): Answered {
  const value = answer.truncated ? undefined : jsonIn(answer.body);
  const { status: code = null, status_message: words } = Value.Check(Outcome, value) ? value : {};
  if (answer.status === 200 && code === 0) return { ok: true, body: value };
  return refusedBy(answer, { by: 'Viber', code, words, secrets: [token], now });
}
