import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { isPage, readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Settings, usualRoot } from './settings.ts';

/** The gateway's answer. `isOwn` is false if another server on the way answered. */
export type GatewayAnswer =
  | { ok: true; body: object }
  | { ok: false; status: number; isOwn: boolean; detail: string; retryAfterMs: number | null };

export type Refused = Extract<GatewayAnswer, { ok: false }>;

const Failure = Type.Object({ message: Type.String() });
const Described = Type.Object({ description: Type.String() });
/** A quota of the plan: for a method, or for the number of chats. */
const Quota = Type.Object({
  correspondentsStatus: Type.Optional(Described),
  invokeStatus: Type.Optional(Described),
});

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Without a body, it only reads. */
type GatewayCall = { method: string; body?: object; signal?: AbortSignal; now?: Date };

/** Calls a method of the instance. Throws what `Outbound.request` throws. */
export async function callGateway(
  http: Outbound,
  { instance_id, api_token, api_root }: Settings,
  { method, body, signal, now = new Date(0) }: GatewayCall,
): Promise<GatewayAnswer> {
  const answer = await http.request({
    url: `${apiRootOf(api_root, usualRoot)}/v3/waInstance${instance_id}/${method}/${api_token}`,
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    redact: [api_token],
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(signal && { signal }),
  });
  return gatewayAnswer(answer, api_token, now);
}

function gatewayAnswer(answer: OutboundAnswer, token: string, now: Date): GatewayAnswer {
  const { status, headers, truncated } = answer;
  const value = truncated ? undefined : jsonIn(answer.body);
  if (status === 200 && typeof value === 'object' && value !== null) return { ok: true, body: value };
  const isOwn = status !== 200 && !truncated && !isPage(answer);
  const words = isOwn ? (wordsIn(value) ?? answer.body.toString().trim()) : null;
  const detail = words || `The gateway answered ${status}.`;
  return {
    ok: false,
    status,
    isOwn,
    detail: readableWords(detail, [token]),
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  };
}

function wordsIn(value: unknown): string | null {
  if (Value.Check(Failure, value)) return value.message;
  if (!Value.Check(Quota, value)) return null;
  return value.correspondentsStatus?.description ?? value.invokeStatus?.description ?? null;
}
