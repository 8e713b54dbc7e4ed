import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { isPage, readableWords } from '../../shared/answer.ts';
import { type ApiAnswer, type Attempt, callApi } from '../../shared/call.ts';
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

/** Without a body, it only reads. */
export type GatewayCall = Attempt & { method: string; body?: object };

/** Calls a method of the instance. Throws what `Outbound.request` throws. */
export async function callGateway(
  http: Outbound,
  { instance_id, api_token, api_root }: Settings,
  { method, body, signal, now = new Date(0) }: GatewayCall,
): Promise<GatewayAnswer> {
  const answer = await callApi(http, {
    url: `${apiRootOf(api_root, usualRoot)}/v3/waInstance${instance_id}/${method}/${api_token}`,
    method: body ? 'POST' : 'GET',
    json: body,
    redact: [api_token],
    signal,
  });
  return gatewayAnswer(answer, api_token, now);
}

function gatewayAnswer(answer: ApiAnswer, token: string, now: Date): GatewayAnswer {
  const { status, headers, truncated, value } = answer;
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
