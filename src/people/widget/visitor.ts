import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../platform/context.ts';
import { credentials, Unauthorized } from '../../platform/http/errors.ts';
import type { Guard } from '../../platform/http/guard.ts';
import { CannotOpen } from '../../platform/secrets/vault.ts';

/** The origin of the page that a browser sends. Null if it sends none, as in a GET from our own address. */
export type Page = { origin: string | null };

/** The owner of a session token: one chat address on one widget channel. */
export type Session = {
  channelId: string;
  address: string;
  name: string | null;
  /** The version of the key that signed the identity. Null for an anonymous visitor. */
  keyVersion: string | null;
};

export type Visitor = Page & Session;

type Sealed = Session & { issuedAt: number };

const sealedFor = 'widget.session';
const goodForMs = 365 * 24 * 60 * 60 * 1000;

/** Only we can make or read this token. Nothing therefore has to be stored for a visitor who has not written yet. */
export function sealSession({ vault, clock }: Pick<Context, 'vault' | 'clock'>, session: Session): string {
  const sealed: Sealed = { ...session, issuedAt: clock.now().getTime() };
  return vault.seal(JSON.stringify(sealed), sealedFor).toString('base64url');
}

function openSession({ vault, clock }: Pick<Context, 'vault' | 'clock'>, token: string): Session | null {
  try {
    const sealed: Sealed = JSON.parse(vault.open(Buffer.from(token, 'base64url'), sealedFor));
    const { channelId, address, name, keyVersion = null, issuedAt } = sealed;
    return clock.now().getTime() - issuedAt < goodForMs ? { channelId, address, name, keyVersion } : null;
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

const originOf = (headers: IncomingHttpHeaders): string | null => headers.origin ?? null;

/** For a browser that has no session yet. */
export const anyPage: Guard<Page> = { admit: (headers) => ({ origin: originOf(headers) }), cors: true };

/** Admits a browser with a session. Its token is not a cookie, so a page on another origin gains nothing by CORS. */
export const visitorGuard = (context: Pick<Context, 'vault' | 'clock'>): Guard<Visitor> => ({
  cors: true,
  admit(headers) {
    if (headers.authorization === undefined) throw new Unauthorized(credentials.missing);
    const token = /^bearer +([\w-]+)$/i.exec(headers.authorization)?.[1];
    const session = token === undefined ? null : openSession(context, token);
    if (session === null) throw new Unauthorized(credentials.incorrect);
    return { ...session, origin: originOf(headers) };
  },
});
