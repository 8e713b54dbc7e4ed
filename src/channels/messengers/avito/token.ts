import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Outbound, OutboundFailed } from '../../../platform/outbound/outbound.ts';
import type { AccessToken } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { readableWords } from '../../shared/answer.ts';
import { jsonIn } from '../../shared/json.ts';
import { failureIn } from './refusals.ts';
import { type Settings, usualRoot } from './settings.ts';

const Granted = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Number({ exclusiveMinimum: 0 }),
});

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** A refusal may have the status 200. */
export async function token(
  { client_id, client_secret, api_root }: Settings,
  http: Outbound,
): Promise<AccessToken> {
  const { status, body } = await http.request({
    url: `${apiRootOf(api_root, usualRoot)}/token`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
  });
  const answer = jsonIn(body);
  if (status === 200 && Value.Check(Granted, answer)) {
    return { value: answer.access_token, livesMs: answer.expires_in * 1000 };
  }
  const denial = failureIn(answer);
  if (status >= 500 || status === 429 || !denial) {
    throw new OutboundFailed('protocol', false, new Error(`Avito answered ${status} in place of a token.`));
  }
  const words = readableWords(denial.words || `Avito answered ${status}.`, [client_secret]);
  throw new CredentialsRefused(`Avito refused: ${words}`);
}
