import { action } from '../../platform/http/action.ts';
import { credentials, Forbidden } from '../../platform/http/errors.ts';
import { currentSecret, firstSecrets, openSecrets, sealSecrets } from '../secrets.ts';
import { integrationOf } from './integration.ts';
import { present } from './present.ts';
import { probe } from './probe.ts';
import { Credentials, Settings } from './schema.ts';
import { findEndpoint, saveEndpoint } from './store.ts';

/**
 * PUT /api/partners/integrations/credentials/: sets the address and the kinds of an integration's events. Replaces
 * the former settings, and enables a disabled endpoint. Its signing secret stays. An address that does not answer
 * changes nothing. Source: docs/contract.md, section 8.
 */
export const putCredentials = action({
  name: 'setWebhook',
  summary: "Set the integration's webhook",
  description:
    'Replaces all settings. The address first gets a `confirmation` event and must respond with 200 within five seconds. Otherwise nothing changes.',
  line: 'foreign',
  body: Credentials,
  response: Settings,
  handle: async ({ context, principal, body }) => {
    const { sql, clock, newId, vault, wake } = context;
    const integration = integrationOf(principal);
    const known = await findEndpoint(sql, integration);
    const secret = currentSecret(known ? openSecrets(vault, known.id, known.sealed_secrets) : firstSecrets());
    await probe(context, body.webhook_url, secret);
    const id = newId();
    const saved = await saveEndpoint(sql, {
      ...integration,
      id,
      url: body.webhook_url,
      eventTypes: [...new Set(body.webhook_events)],
      platforms: [...new Set(body.webhook_platforms)],
      sealedSecrets: sealSecrets(vault, id, [{ secret, until: null }]),
      createdAt: clock.now(),
    });
    if (!saved) throw new Forbidden(credentials.incorrect);
    wake.wake('webhooks');
    return present(vault, saved);
  },
});
