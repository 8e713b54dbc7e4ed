import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { credentials, Forbidden, Unauthorized } from '../../platform/http/errors.ts';
import type { Guard } from '../../platform/http/guard.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { batched } from '../../platform/pump/batch.ts';
import type { Turns } from '../../platform/pump/turns.ts';
import { bearerToken, type Credential, type Presented, tokenOrBotKey } from './credential.ts';
import { findPrincipals } from './store.ts';

export type Guards = {
  /** Refuses with 403. A bot key is no credential here, even a valid one. */
  requireOAuth: Guard<Principal>;
  /** Refuses with 401. */
  requireKeyOrOAuth: Guard<Principal>;
};

/**
 * Source: docs/contract.md, sections 1 and 2. Credentials of concurrent requests share one lookup. Nothing is cached,
 * so a revocation holds from the next request on.
 */
export function createGuards({ sql, clock }: Pick<Context, 'sql' | 'clock'>, turns?: Turns): Guards {
  const findPrincipal = batched((asked: Credential[]) => findPrincipals(sql, asked, clock.now()), {
    max: 500,
    concurrency: 2,
    turns,
    failsAll: isDatabaseUnavailable,
  });

  const guard = (
    read: (headers: IncomingHttpHeaders) => Presented,
    Refusal: typeof Unauthorized | typeof Forbidden,
    accepted: Guard<Principal>['credentials'],
  ): Guard<Principal> => ({
    cors: accepted === 'key or oauth',
    credentials: accepted,
    async admit(headers) {
      const presented = read(headers);
      if (presented === 'missing') throw new Refusal(credentials.missing);
      const principal = presented === 'malformed' ? null : await findPrincipal(presented);
      if (principal === null) throw new Refusal(credentials.incorrect);
      return principal;
    },
  });

  return {
    requireOAuth: guard(bearerToken, Forbidden, 'oauth'),
    requireKeyOrOAuth: guard(tokenOrBotKey, Unauthorized, 'key or oauth'),
  };
}
