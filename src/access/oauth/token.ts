import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { isUuid } from '../../platform/id.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { newPair } from './pair.ts';
import { after, challengeOf, lifetimes } from './rules.ts';
import { TokenAnswer, TokenRefusal, TokenRequest } from './schema.ts';
import {
  findSecretHash,
  redeemCode,
  revokeFamilyOfCode,
  revokeFamilyOfRefreshToken,
  rotateRefreshToken,
} from './store.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'newId'>;

/** The texts of `invalid_client` and `invalid_grant`: one sentence each, which does not reveal the exact fault. */
const refusals = {
  invalid_client: 'The client_id or client_secret is wrong.',
  invalid_grant:
    'The code or refresh token is unknown, expired, used or revoked, or was issued for another request.',
} as const;

/** POST /api/partners/oauth/. Source: docs/contract.md, section 2. */
export const token = openAction({
  name: 'issueToken',
  summary: 'Issue or refresh a token',
  description:
    'Exchanges a code from the grant page, or a refresh token, for a new pair of tokens. The body is JSON or a form. A refresh token works once: store the new one.',
  refusals: {
    400: { when: 'The client, its secret, the code or the refresh token is wrong.', body: TokenRefusal },
  },
  body: TokenRequest,
  response: TokenAnswer,
  form: true,
  handle: async ({ context, body, reply }) => {
    const grant = readGrant(body);
    const refuse = (error: keyof typeof refusals) => reply.code(400).send({ error, detail: refusals[error] });

    if (!(await isClient(context, body.client_id, body.client_secret))) return refuse('invalid_client');
    return (await exchange(context, body.client_id, grant)) ?? refuse('invalid_grant');
  },
});

type Grant =
  | { type: 'code'; code: string; redirectUri: string | null; codeVerifier: string | null }
  | { type: 'refresh_token'; refreshToken: string };

function readGrant(body: TokenRequest): Grant {
  if (body.grant_type === 'refresh_token') {
    if (body.refresh_token === undefined) throw invalid('refresh_token', messages.required);
    return { type: 'refresh_token', refreshToken: body.refresh_token };
  }
  if (body.code === undefined) throw invalid('code', messages.required);
  return {
    type: 'code',
    code: body.code,
    redirectUri: body.redirect_uri ?? null,
    codeVerifier: body.code_verifier ?? null,
  };
}

/** No known secret has this hash. */
const hashOfNothing = Buffer.alloc(32);

/** Refusing an unknown client takes as long as refusing a wrong secret. */
async function isClient({ sql }: Tools, clientId: string, clientSecret: string): Promise<boolean> {
  const presented = sha256(clientSecret);
  const stored = isUuid(clientId) ? await findSecretHash(sql, clientId) : null;
  return timingSafeEqual(presented, stored ?? hashOfNothing);
}

function exchange(tools: Tools, applicationId: string, grant: Grant): Promise<TokenAnswer | null> {
  switch (grant.type) {
    case 'code':
      return exchangeCode(tools, applicationId, grant);
    case 'refresh_token':
      return exchangeRefreshToken(tools, applicationId, grant.refreshToken);
  }
}

async function exchangeCode(
  { sql, clock, newId }: Tools,
  applicationId: string,
  { code, redirectUri, codeVerifier }: Extract<Grant, { type: 'code' }>,
): Promise<TokenAnswer | null> {
  const now = clock.now();
  const { answer, stored } = newPair(now);
  const use = {
    codeHash: sha256(code),
    applicationId,
    redirectUri,
    codeChallenge: codeVerifier === null ? null : challengeOf(codeVerifier),
    familyId: newId(),
    now,
  };
  if (await redeemCode(sql, use, stored)) return answer;
  await revokeFamilyOfCode(sql, use);
  return null;
}

async function exchangeRefreshToken(
  { sql, clock }: Tools,
  applicationId: string,
  refreshToken: string,
): Promise<TokenAnswer | null> {
  const now = clock.now();
  const { answer, stored } = newPair(now);
  const use = {
    tokenHash: sha256(refreshToken),
    applicationId,
    now,
    graceSince: after(now, -lifetimes.graceMs),
  };
  if (await rotateRefreshToken(sql, use, stored)) return answer;
  await revokeFamilyOfRefreshToken(sql, use);
  return null;
}
