import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { after, lifetimes } from './rules.ts';
import type { TokenAnswer } from './schema.ts';
import type { StoredPair } from './store.ts';

/** A new access and refresh token: in clear for the client, as hashes for the database. */
export function newPair(now: Date): { answer: TokenAnswer; stored: StoredPair } {
  const accessToken = randomToken();
  const refreshToken = randomToken();
  return {
    answer: {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: lifetimes.accessSeconds,
    },
    stored: {
      accessHash: sha256(accessToken),
      accessExpiresAt: after(now, lifetimes.accessSeconds * 1000),
      refreshHash: sha256(refreshToken),
      refreshExpiresAt: after(now, lifetimes.refreshMs),
    },
  };
}
