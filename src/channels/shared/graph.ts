import { createHmac } from 'node:crypto';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { constantTimeEqual } from '../../platform/secrets/secret.ts';
import type { InboundRequest, Verdict } from '../contract/inbound.ts';
import { apiRoot, apiRootOf } from '../contract/settings.ts';
import { type Refused, refusedBy } from './answer.ts';
import { type ApiAnswer, type Attempt, callApi, queryOf } from './call.ts';

/** Meta's Graph API, which several messengers share. */

export type GraphSettings = { access_token: string; api_root?: string; api_version?: string };

const graphVersion = 'v25.0';

/** A secret that is sent in headers. */
export const graphSecret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, pattern: '^[!-~]+$', secret: true, description });

/** Spread into the settings of a Meta messenger, after its token. */
export const graphApp = (usualRoot: string) => ({
  app_secret: graphSecret('Signs the webhooks of the app.'),
  verify_token: graphSecret('Any text. Enter the same one at the app’s webhook.'),
  api_version: Type.Optional(
    Type.String({ pattern: '^v\\d{1,3}\\.\\d{1,2}$', description: `Default: ${graphVersion}.` }),
  ),
  api_root: apiRoot(usualRoot),
});

export type GraphRefused = Refused & { subcode: number | null };

export type GraphAnswer = { ok: true; body: unknown } | GraphRefused;

export type GraphCall = Attempt & {
  method: 'GET' | 'POST';
  /** The part after the version. */
  path: string;
  query?: Record<string, string>;
  body?: object;
};

const GraphError = Type.Object({
  error: Type.Object({
    code: Type.Integer(),
    error_subcode: Type.Optional(Type.Integer()),
    message: Type.Optional(Type.String()),
    /** A text in some answers. */
    error_data: Type.Optional(Type.Unknown()),
  }),
});

const Details = Type.Object({ details: Type.String() });

/** Throws what `Outbound.request` throws. */
export async function callGraph(
  http: Outbound,
  { access_token, api_root, api_version = graphVersion }: GraphSettings,
  usualRoot: string,
  { method, path, query, body, signal, now = new Date(0) }: GraphCall,
): Promise<GraphAnswer> {
  const answer = await callApi(http, {
    url: `${apiRootOf(api_root, usualRoot)}/${api_version}/${path}${queryOf(query)}`,
    method,
    headers: { authorization: `Bearer ${access_token}` },
    json: body,
    signal,
  });
  return graphAnswer(answer, access_token, now);
}

function graphAnswer(answer: ApiAnswer, token: string, now: Date): GraphAnswer {
  const { status, value: body } = answer;
  const isError = Value.Check(GraphError, body);
  if (status >= 200 && status < 300 && body !== undefined && !isError) return { ok: true, body };
  const { code = null, error_subcode: subcode = null, message, error_data } = isError ? body.error : {};
  const words = Value.Check(Details, error_data) ? error_data.details : message;
  return { ...refusedBy(answer, { by: 'The provider', code, words, secrets: [token], now }), subcode };
}

/** Answers the GET by which Meta verifies our address. */
export function handshake({ query }: InboundRequest, verifyToken: string): Verdict {
  const shown = query.get('hub.verify_token') ?? '';
  if (query.get('hub.mode') !== 'subscribe' || !constantTimeEqual(shown, verifyToken)) {
    return { accepted: false, status: 403 };
  }
  const challenge = query.get('hub.challenge') ?? '';
  return { accepted: true, events: [], answer: () => ({ body: challenge }) };
}

/** Whether the bytes have a signature that only the app's owner and Meta can make. */
export function isSigned({ headers, body }: InboundRequest, appSecret: string): boolean {
  const shown = headers['x-hub-signature-256'];
  const wanted = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  return typeof shown === 'string' && constantTimeEqual(shown.toLowerCase(), wanted);
}
