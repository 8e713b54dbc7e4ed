import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import type { Client } from '../../contract/adapter.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, isPage, refusedBy } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { failureIn } from './refusals.ts';
import { type Settings, usualRoot } from './settings.ts';

type AvitoCall = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  sent?: { headers: Record<string, string>; body: string | Buffer };
  signal?: AbortSignal;
  /** The time from which a date in an answer is counted. */
  now?: Date;
};

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A refused token is replaced once. Throws what `Outbound.request` and `Client.token` throw. */
export async function callAvito(client: Client, settings: Settings, call: AvitoCall): Promise<Answered> {
  const token = await client.token();
  const answer = await request(client, settings, call, token);
  if (answer.status !== 401) return avitoAnswer(answer, token, call.now);
  const other = await client.token(token);
  return avitoAnswer(await request(client, settings, call, other), other, call.now);
}

function request(
  client: Client,
  { api_root }: Settings,
  { method, path, query, sent, signal }: AvitoCall,
  token: string,
): Promise<OutboundAnswer> {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return client.request({
    url: `${apiRootOf(api_root, usualRoot)}/messenger/${path}${search}`,
    method,
    ...sent,
    headers: { authorization: `Bearer ${token}`, ...sent?.headers },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(signal && { signal }),
  });
}

/** Its codes are those of HTTP. */
function avitoAnswer(answer: OutboundAnswer, token: string, now = new Date(0)): Answered {
  const { status } = answer;
  const body = answer.truncated ? undefined : jsonIn(answer.body);
  const failure = failureIn(body);
  if (status >= 200 && status < 300 && body !== undefined && !failure) return { ok: true, body };
  const code = isPage(answer) ? null : status;
  return refusedBy(answer, { by: 'Avito', code, words: failure?.words, secrets: [token], now });
}

export const jsonOf = (value: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
