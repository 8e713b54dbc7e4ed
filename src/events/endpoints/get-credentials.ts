import { action } from '../../platform/http/action.ts';
import { integrationOf } from './integration.ts';
import { presentState } from './present.ts';
import { SettingsState } from './schema.ts';
import { findEndpoint } from './store.ts';

/**
 * GET /api/partners/integrations/credentials/: the settings and the delivery state. Source: docs/contract.md, section
 * 8.
 */
export const getCredentials = action({
  name: 'getWebhook',
  summary: "Read the integration's webhook",
  description: 'The response contains no secret; only setting the webhook returns it.',
  refusals: { 404: { when: 'No webhook is set.' } },
  response: SettingsState,
  load: ({ sql }, principal) => findEndpoint(sql, integrationOf(principal)),
  handle: async ({ loaded }) => presentState(loaded),
});
