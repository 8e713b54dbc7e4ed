import Type, { type Static } from 'typebox';
import { Choice, Text } from '../http/fields.ts';

/** Source: specification, endpoint 1; open points, section 2: `authorization_code` is an alias, PKCE an addition. */
export const TokenRequest = Type.Object({
  client_id: Text(),
  client_secret: Text(),
  grant_type: Choice(['code', 'authorization_code', 'refresh_token']),
  code: Type.Optional(Text()),
  refresh_token: Type.Optional(Text()),
  redirect_uri: Type.Optional(Text()),
  code_verifier: Type.Optional(Text()),
});

export type TokenRequest = Static<typeof TokenRequest>;

export const TokenAnswer = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.String(),
  /** Seconds. */
  expires_in: Type.Integer(),
});

export type TokenAnswer = Static<typeof TokenAnswer>;
