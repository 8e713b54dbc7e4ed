import { newWebhookSecret } from '../platform/secrets/signature.ts';
import type { Vault } from '../platform/secrets/vault.ts';

/** A secret that signs an endpoint's deliveries. A rotated secret is used until `until`. */
export type SigningSecret = { secret: string; until: string | null };

const RETIREMENT_MS = 24 * 3_600_000;

const purpose = (endpointId: string): string => `endpoint:${endpointId}`;

export const sealSecrets = (vault: Vault, endpointId: string, secrets: SigningSecret[]): Buffer =>
  vault.seal(JSON.stringify(secrets), purpose(endpointId));

/** The form needs no check: a value that opens was sealed here. Throws `CannotOpen`. */
export function openSecrets(vault: Vault, endpointId: string, sealed: Buffer): SigningSecret[] {
  const secrets: SigningSecret[] = JSON.parse(vault.open(sealed, purpose(endpointId)));
  return secrets;
}

export const firstSecrets = (): SigningSecret[] => [{ secret: newWebhookSecret(), until: null }];

/**
 * Puts a new secret in front. The one before it still signs for a day, and no earlier one does.
 * Source: docs/contract.md, section 8.
 */
export function rotated(secrets: SigningSecret[], now: Date): SigningSecret[] {
  const until = new Date(now.getTime() + RETIREMENT_MS).toISOString();
  return [...firstSecrets(), { secret: currentSecret(secrets), until }];
}

/** Every secret that a receiver may still use, newest first. */
export const secretsInForce = (secrets: SigningSecret[], now: Date): string[] =>
  secrets.filter((secret) => isInForce(secret, now)).map(({ secret }) => secret);

/** The secret that a receiver should use from now on. */
export function currentSecret(secrets: SigningSecret[]): string {
  const current = secrets.find(({ until }) => until === null);
  if (!current) throw new Error('An endpoint has no signing secret in force.');
  return current.secret;
}

const isInForce = ({ until }: SigningSecret, now: Date): boolean =>
  until === null || Date.parse(until) > now.getTime();
