import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../../platform/outbound/retry-after.ts';
import type { Client } from '../../contract/adapter.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { isPage, readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { failureIn } from './refusals.ts';
import { type Settings, usualRoot } from './settings.ts';

/** Avito's answer. `isOwn` is false if another server on the way answered. */
export type AvitoAnswer =
  | { ok: true; body: unknown }
  | { ok: false; status: number; isOwn: boolean; detail: string; retryAfterMs: number | null };

export type Refused = Extract<AvitoAnswer, { ok: false }>;

type AvitoCall = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: { type: string; bytes: string | Buffer };
  signal?: AbortSignal;
  /** The time from which a date in an answer is counted. */
  now?: Date;
};

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A refused token is replaced once. Throws what `Outbound.request` and `Client.token` throw. */
export async function callAvito(client: Client, settings: Settings, call: AvitoCall): Promise<AvitoAnswer> {
  const token = await client.token();
  const answer = await request(client, settings, call, token);
  if (answer.status !== 401) return avitoAnswer(answer, token, call.now);
  const other = await client.token(token);
  return avitoAnswer(await request(client, settings, call, other), other, call.now);
}

function request(
  client: Client,
  { api_root }: Settings,
  { method, path, query, body, signal }: AvitoCall,
  token: string,
): Promise<OutboundAnswer> {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return client.request({
    url: `${apiRootOf(api_root, usualRoot)}/messenger/${path}${search}`,
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': body.type }) },
    ...(body && { body: body.bytes }),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(signal && { signal }),
  });
}

function avitoAnswer(answer: OutboundAnswer, token: string, now = new Date(0)): AvitoAnswer {
  const { status, headers } = answer;
  const body = answer.truncated ? undefined : jsonIn(answer.body);
  const failure = failureIn(body);
  if (status >= 200 && status < 300 && body !== undefined && !failure) return { ok: true, body };
  return {
    ok: false,
    status,
    isOwn: !isPage(answer),
    detail: readableWords(failure?.words || `Avito answered ${status}.`, [token]),
    retryAfterMs: retryAfterMs(headers['retry-after'], now),
  };
}

export const jsonBody = (value: object) => ({ type: 'application/json', bytes: JSON.stringify(value) });

/** For people. */
export function given(answer: AvitoAnswer): unknown {
  if (!answer.ok) throw new Error(`Avito refused: ${answer.detail}`);
  return answer.body;
}
