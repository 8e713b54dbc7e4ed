import type { Client } from '../../contract/adapter.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { type Answered, isPage, refusedBy } from '../../shared/answer.ts';
import { type ApiAnswer, type Attempt, callApi, queryOf } from '../../shared/call.ts';
import { failureIn } from './refusals.ts';
import { type Settings, usualRoot } from './settings.ts';

export type AvitoCall = Attempt & {
  method: 'GET' | 'POST';
  /** The part of Avito's API. Default: `messenger`. */
  part?: 'messenger' | 'core';
  path: string;
  query?: Record<string, string>;
  sent?: { headers: Record<string, string>; body: string | Buffer };
};

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
  { method, part = 'messenger', path, query, sent, signal }: AvitoCall,
  token: string,
): Promise<ApiAnswer> {
  return callApi(client, {
    url: `${apiRootOf(api_root, usualRoot)}/${part}/${path}${queryOf(query)}`,
    method,
    ...sent,
    headers: { authorization: `Bearer ${token}`, ...sent?.headers },
    signal,
  });
}

/** Its codes are those of HTTP. */
function avitoAnswer(answer: ApiAnswer, token: string, now = new Date(0)): Answered {
  const { status, value: body } = answer;
  const failure = failureIn(body);
  if (status >= 200 && status < 300 && body !== undefined && !failure) return { ok: true, body };
  const code = isPage(answer) ? null : status;
  return refusedBy(answer, { by: 'Avito', code, words: failure?.words, secrets: [token], now });
}

export const jsonOf = (value: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
