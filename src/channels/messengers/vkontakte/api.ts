import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Settings, usualRoot, usualVersion } from './settings.ts';

/** VK's answer. `code` is null if another server on the way answered. */
export type VkAnswer =
  | { ok: true; response: unknown }
  | { ok: false; status: number; code: number | null; detail: string; retryAfterMs: number | null };

export type Refused = Extract<VkAnswer, { ok: false }>;

const Success = Type.Object({ response: Type.Unknown() });

const Failure = Type.Object({
  error: Type.Object({ error_code: Type.Integer(), error_msg: Type.Optional(Type.String()) }),
});

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

type VkCall = { method: string; parameters: Record<string, string>; signal?: AbortSignal; now?: Date };

/** Calls a method. Throws what `Outbound.request` throws. */
export async function callVk(
  http: Outbound,
  { access_token, api_root, api_version = usualVersion }: Settings,
  { method, parameters, signal, now = new Date(0) }: VkCall,
): Promise<VkAnswer> {
  const answer = await http.request({
    url: `${apiRootOf(api_root, usualRoot)}/method/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ ...parameters, access_token, v: api_version })),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(signal && { signal }),
  });
  return vkAnswer(answer, access_token, now);
}

function vkAnswer({ status, headers, body, truncated }: OutboundAnswer, token: string, now: Date): VkAnswer {
  const value = truncated ? undefined : jsonIn(body);
  if (status === 200 && Value.Check(Success, value)) return { ok: true, response: value.response };
  const failure = Value.Check(Failure, value) ? value.error : null;
  const detail = failure?.error_msg ?? `VK answered ${status}.`;
  return {
    ok: false,
    status,
    code: failure?.error_code ?? null,
    detail: readableWords(detail, [token]),
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  };
}

/** Also for the person who adds the channel. */
export class VkRefused extends Error {
  readonly answer: Refused;
  constructor(answer: Refused) {
    super(`VK refused: ${answer.detail}`);
    this.answer = answer;
  }
}

/** The data in VK's answer. Throws `VkRefused`. */
export function given(answer: VkAnswer): unknown {
  if (!answer.ok) throw new VkRefused(answer);
  return answer.response;
}
