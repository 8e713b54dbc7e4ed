import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, refusedBy } from '../../shared/answer.ts';
import { type ApiAnswer, type Attempt, callApi } from '../../shared/call.ts';
import { type Settings, usualRoot, usualVersion } from './settings.ts';

const Success = Type.Object({ response: Type.Unknown() });

const Failure = Type.Object({
  error: Type.Object({ error_code: Type.Integer(), error_msg: Type.Optional(Type.String()) }),
});

export type VkCall = Attempt & { method: string; parameters: Record<string, string> };

/** Calls a method. Throws what `Outbound.request` throws. */
export async function callVk(
  http: Outbound,
  { access_token, api_root, api_version = usualVersion }: Settings,
  { method, parameters, signal, now = new Date(0) }: VkCall,
): Promise<Answered> {
  const answer = await callApi(http, {
    url: `${apiRootOf(api_root, usualRoot)}/method/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ ...parameters, access_token, v: api_version })),
    signal,
  });
  return vkAnswer(answer, access_token, now);
}

function vkAnswer(answer: ApiAnswer, token: string, now: Date): Answered {
  const { value } = answer;
  if (answer.status === 200 && Value.Check(Success, value)) return { ok: true, body: value.response };
  const { error_code: code = null, error_msg: words } = Value.Check(Failure, value) ? value.error : {};
  return refusedBy(answer, { by: 'VK', code, words, secrets: [token], now });
}
