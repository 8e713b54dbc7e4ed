import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../platform/http/principal.ts';
import { isUuid } from '../../platform/id.ts';
import { sha256 } from '../../platform/secrets/secret.ts';

/** A well-formed credential. It is looked up by the hash of its secret. */
export type Credential = { kind: Principal['kind']; hash: Buffer };

export type Presented = Credential | 'missing' | 'malformed';

const BEARER = /^bearer(?: +(?<token>[\w.~+/-]+=*) *)?$/i;

/**
 * The access token of `Authorization: Bearer`. Another scheme, for example a proxy's Basic, is not meant for us and
 * counts as missing. Source: docs/contract.md, section 2; RFC 6750, section 2.1.
 */
export function bearerToken(headers: IncomingHttpHeaders): Presented {
  const header = headers.authorization;
  if (header === undefined || !/^bearer( |$)/i.test(header)) return 'missing';
  const token = BEARER.exec(header)?.groups?.token;
  return token === undefined ? 'malformed' : { kind: 'oauth', hash: sha256(token) };
}

/** The UUID of the `bot-key` header, in either case. */
export function botKey(headers: IncomingHttpHeaders): Presented {
  const key = headers['bot-key'];
  if (key === undefined) return 'missing';
  if (typeof key !== 'string' || !isUuid(key)) return 'malformed';
  return { kind: 'bot_key', hash: hashOfBotKey(key) };
}

export const hashOfBotKey = (key: string): Buffer => sha256(key.toLowerCase());

/** If a request has both, only the token counts, good or bad. */
export function tokenOrBotKey(headers: IncomingHttpHeaders): Presented {
  const token = bearerToken(headers);
  return token === 'missing' ? botKey(headers) : token;
}
