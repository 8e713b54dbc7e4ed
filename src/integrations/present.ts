import { currentSecret, openSecrets } from '../events/secrets.ts';
import type { Vault } from '../lib/vault.ts';
import type { Settings } from './schema.ts';
import type { EndpointRow } from './store.ts';

export const present = (vault: Vault, row: EndpointRow): Settings => ({
  webhook_url: row.url,
  webhook_events: row.event_types,
  webhook_platforms: row.platforms,
  webhook_secret: currentSecret(openSecrets(vault, row.id, row.sealed_secrets)),
});
