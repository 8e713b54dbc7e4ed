import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, refusedBy } from '../../shared/answer.ts';
import { type ApiAnswer, type Attempt, callApi } from '../../shared/call.ts';
import { type Settings, usualRoot } from './settings.ts';

type ViberCall = Attempt & { method: string; body: object };

/** Refusals have the HTTP status 200 too. */
const Outcome = Type.Object({ status: Type.Integer(), status_message: Type.Optional(Type.String()) });

/** Calls a method. Throws what `Outbound.request` throws. */
export async function callViber(
  http: Outbound,
  { auth_token, api_root }: Settings,
  { method, body, signal, now = new Date(0) }: ViberCall,
): Promise<Answered> {
  const answer = await callApi(http, {
    url: `${apiRootOf(api_root, usualRoot)}/pa/${method}`,
    method: 'POST',
    headers: { 'x-viber-auth-token': auth_token },
    json: body,
    signal,
  });
  return viberAnswer(answer, auth_token, now);
}

function viberAnswer(answer: ApiAnswer, token: string, now: Date): Answered {
  const { value } = answer;
  const { status: code = null, status_message: words } = Value.Check(Outcome, value) ? value : {};
  if (answer.status === 200 && code === 0) return { ok: true, body: value };
  return refusedBy(answer, { by: 'Viber', code, words, secrets: [token], now });
}
