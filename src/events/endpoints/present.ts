import type { Vault } from '../../platform/secrets/vault.ts';
import { currentSecret, openSecrets } from '../secrets.ts';
import type { Settings, SettingsState } from './schema.ts';
import type { EndpointRow } from './store.ts';

export const present = (vault: Vault, row: EndpointRow): Settings => ({
  ...settingsOf(row),
  webhook_secret: currentSecret(openSecrets(vault, row.id, row.sealed_secrets)),
});

export const presentState = (row: EndpointRow): SettingsState => ({ ...settingsOf(row), ...stateOf(row) });

const settingsOf = (row: EndpointRow) => ({
  webhook_url: row.url,
  webhook_events: row.event_types,
  webhook_platforms: row.platforms,
});

function stateOf({
  disabled_at,
  disabled_reason,
  failing_since,
}: EndpointRow): Pick<SettingsState, 'state' | 'reason'> {
  if (disabled_at) return { state: 'disabled', reason: disabled_reason ?? 'It was disabled.' };
  if (!failing_since) return { state: 'active', reason: null };
  return { state: 'failing', reason: `There was nothing but failures since ${failing_since.toISOString()}.` };
}
