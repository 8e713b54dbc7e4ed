import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { constantTimeEqual } from './secret.ts';

/** The three headers of Standard Webhooks. A type alias, so that it fits any record of headers. */
export type SignatureHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

type Signed = {
  /** The event's id, the same on every attempt. */
  id: string;
  /** The time of this attempt. */
  timestamp: Date;
  /** Exactly the bytes that are sent. */
  body: string;
  /** Each gives a signature: while a secret is rotated, the old one and the new one. */
  secrets: readonly string[];
};

const TOLERANCE_SECONDS = 5 * 60;
const KEPT_SIGNERS = 10_000;
const signers = new Map<string, Webhook>();

/** A new signing secret in the form that receivers' libraries expect. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export function signWebhook({ id, timestamp, body, secrets }: Signed): SignatureHeaders {
  const signatures = secrets.map((secret) => signer(secret).sign(id, timestamp, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds(timestamp)),
    'webhook-signature': signatures.join(' '),
  };
}

/** Whether one of the signatures was made with the secret, for this body, within five minutes of `now`. */
export function verifyWebhook(headers: SignatureHeaders, body: string, secret: string, now: Date): boolean {
  const seconds = Number(headers['webhook-timestamp']);
  if (!Number.isInteger(seconds) || Math.abs(unixSeconds(now) - seconds) > TOLERANCE_SECONDS) return false;
  const expected = signer(secret).sign(headers['webhook-id'], new Date(seconds * 1000), body);
  return headers['webhook-signature'].split(' ').some((signature) => constantTimeEqual(signature, expected));
}

const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** Decoding a secret costs as much as signing, so signers are kept, up to a bound: secrets come from users. */
function signer(secret: string): Webhook {
  const known = signers.get(secret);
  if (known) return known;
  if (signers.size >= KEPT_SIGNERS) signers.clear();
  const fresh = createSigner(secret);
  signers.set(secret, fresh);
  return fresh;
}

/** A secret that a user made up need not be base64; its bytes are the key then. */
function createSigner(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    return new Webhook(Buffer.from(secret), { format: 'raw' });
  }
}
