import Type, { type Static } from 'typebox';
import { Choice, described, Text } from '../../platform/http/fields.ts';

/** Source: docs/contract.md, section 2: `authorization_code` is an alias, PKCE an addition. */
export const TokenRequest = Type.Object({
  client_id: Type.String({
    minLength: 1,
    description: 'The ID of the application.',
    examples: ['0190a1b2-0000-7000-8000-000000000002'],
  }),
  client_secret: Type.String({
    minLength: 1,
    description: 'Keep it secret, like a password.',
    examples: ['…'],
  }),
  grant_type: described(
    '`authorization_code` is an alias of `code`.',
    Choice(['code', 'authorization_code', 'refresh_token']),
  ),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Required with `code`. It works once, within ten minutes.',
      examples: ['…'],
    }),
  ),
  refresh_token: Type.Optional(
    described('Required with `refresh_token`: the last issued refresh token.', Text()),
  ),
  redirect_uri: Type.Optional(described('The URI that received the code.', Text())),
  code_verifier: Type.Optional(described('The PKCE verifier of the code challenge.', Text())),
});

export type TokenRequest = Static<typeof TokenRequest>;

export const TokenAnswer = Type.Object(
  {
    access_token: Type.String({
      description: 'An access token of the project that the user chose.',
      examples: ['…'],
    }),
    refresh_token: Type.String({ description: 'Works for one renewal, within 90 days.', examples: ['…'] }),
    token_type: Type.String({ examples: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [3600] }),
  },
  { title: 'Tokens' },
);

/** Source: docs/contract.md, section 2. */
export const TokenRefusal = Type.Object(
  { error: Choice(['invalid_client', 'invalid_grant']), detail: Type.String() },
  { title: 'TokenRefusal' },
);

export type TokenAnswer = Static<typeof TokenAnswer>;
