import Type, { type Static } from 'typebox';
import { platforms } from '../../channels/contract/platforms.ts';
import { Choice, described, Nullable, Uri } from '../../platform/http/fields.ts';
import { integrationEventTypes } from '../types.ts';

/** Source: docs/contract.md, section 8. Absent or empty lists mean everything. */
export const Credentials = Type.Object({
  webhook_url: described('The http or https URL that receives events.', Uri),
  webhook_events: Type.Optional(
    Type.Array(Choice(integrationEventTypes), { description: 'Absent or empty: all kinds.' }),
  ),
  webhook_platforms: Type.Optional(
    Type.Array(Choice(platforms), { description: 'Absent or empty: all platforms.' }),
  ),
});

const settings = {
  webhook_url: Type.String(),
  webhook_events: Type.Array(Type.String()),
  webhook_platforms: Type.Array(Type.String()),
};

/** Source: docs/contract.md, section 8. */
export const Settings = Type.Object(
  {
    ...settings,
    webhook_secret: Type.String({
      description: 'The secret that signs deliveries, as Standard Webhooks defines.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { title: 'WebhookSettings' },
);

export type Settings = Static<typeof Settings>;

export const SettingsState = Type.Object(
  {
    ...settings,
    state: described(
      '`failing`: all recent deliveries failed and are retried. `disabled`: nothing is delivered. Events of a disabled webhook are kept for 7 days and can be replayed in the console.',
      Choice(['active', 'failing', 'disabled']),
    ),
    reason: described('The reason why the state is not `active`.', Nullable(Type.String())),
  },
  { title: 'WebhookState' },
);

export type SettingsState = Static<typeof SettingsState>;
