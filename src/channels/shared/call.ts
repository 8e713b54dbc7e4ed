import type { Outbound, OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts';
import { jsonIn } from './json.ts';

/** What every call of a provider may have. A date in an answer is counted from `now`. */
export type Attempt = { signal?: AbortSignal; now?: Date };

/** `value` is the answer's JSON. Undefined if it has none, or is too long. */
export type ApiAnswer = OutboundAnswer & { value: unknown };

type ApiRequest = Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body' | 'ca' | 'redact'> & {
  /** The body as JSON. */
  json?: object | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  maxResponseBytes?: number;
};

const TIMEOUT_MS = 15_000;
/** Fits the longest list that we ask for. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Calls the HTTP API of a provider. Throws what `Outbound.request` throws. */
export async function callApi(
  http: Outbound,
  { json, signal, headers, ...request }: ApiRequest,
): Promise<ApiAnswer> {
  const answer = await http.request({
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(json && { body: JSON.stringify(json) }),
    ...request,
    headers: { ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(signal && { signal }),
  });
  return withJson(answer);
}

export const withJson = (answer: OutboundAnswer): ApiAnswer => ({
  ...answer,
  value: answer.truncated ? undefined : jsonIn(answer.body),
});

/** The query of an address, with its question mark. */
export const queryOf = (query: Record<string, string> | undefined): string =>
  query ? `?${new URLSearchParams(query)}` : '';
