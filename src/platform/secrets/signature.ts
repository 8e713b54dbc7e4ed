import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { constantTimeEqual } from './secret.ts';

/** The three headers of Standard Webhooks. A type alias fits any record of headers. */
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
  /** Each secret adds a signature: the old and the new one during a rotation. */
  secrets: readonly string[];
};

const TOLERANCE_SECONDS = 5 * 60;
const KEPT_KEYS = 10_000;
const keys = new Map<string, KeyObject>();
const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A new signing secret in the form that receivers' libraries expect. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export function signWebhook({ id, timestamp, body, secrets }: Signed): SignatureHeaders {
  const seconds = unixSeconds(timestamp);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => sign(secret, id, seconds, body)).join(' '),
  };
}

/** Whether one of the signatures matches the secret and this body, within five minutes of `now`. */
export function verifyWebhook(headers: SignatureHeaders, body: string, secret: string, now: Date): boolean {
  const seconds = Number(headers['webhook-timestamp']);
  if (!Number.isInteger(seconds) || Math.abs(unixSeconds(now) - seconds) > TOLERANCE_SECONDS) return false;
  const expected = sign(secret, headers['webhook-id'], seconds, body);
  return headers['webhook-signature'].split(' ').some((signature) => constantTimeEqual(signature, expected));
}

/**
 * Uses `node:crypto`: every message and every event is signed, and the library's own HMAC takes three times as long.
 */
const sign = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`;

const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/**
 * Decoding a secret costs as much as signing, so keys are cached. The cache is bounded, because secrets come from
 * users.
 */
function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  if (keys.size >= KEPT_KEYS) keys.clear();
  const fresh = createSecretKey(keyBytes(secret));
  keys.set(secret, fresh);
  return fresh;
}

/** A user's own secret need not be base64. Its bytes are then the key. */
function keyBytes(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  return BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.from(secret);
}
