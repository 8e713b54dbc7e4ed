import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Outbound, OutboundFailed } from '../../../platform/outbound/outbound.ts';
import type { AccessToken } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { callGraph, type GraphCall } from '../../shared/graph.ts';
import { accountOf, type Settings } from './settings.ts';

const Renewed = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Number({ exclusiveMinimum: 0 }),
});

const DAY_MS = 24 * 3_600_000;
/** Of the Graph API: the token has lapsed, or was withdrawn. */
const NO_LONGER_VALID = 190;

/**
 * A token lives for sixty days, and a valid one can be exchanged for another sixty. Meta does not renew a token on its
 * first day, or may be in trouble: then the known one is used for another day.
 */
export async function token(
  settings: Settings,
  http: Outbound,
  known = settings.access_token,
): Promise<AccessToken> {
  const { usualRoot } = accountOf(settings);
  const query = { grant_type: 'ig_refresh_token', access_token: known };
  try {
    const call: GraphCall = { method: 'GET', path: 'refresh_access_token', query };
    const answer = await callGraph(http, { ...settings, access_token: known }, usualRoot, call);
    if (!answer.ok && answer.code === NO_LONGER_VALID) {
      throw new CredentialsRefused(`Meta refused: ${answer.detail}`);
    }
    if (answer.ok && Value.Check(Renewed, answer.body)) {
      return { value: answer.body.access_token, livesMs: answer.body.expires_in * 1_000 };
    }
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
  }
  return { value: known, livesMs: DAY_MS };
}
