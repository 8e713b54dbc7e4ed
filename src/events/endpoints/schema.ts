import Type, { type Static } from 'typebox';
import { platforms } from '../../channels/contract/platforms.ts';
import { Choice, described, Nullable, Uri } from '../../platform/http/fields.ts';
import { integrationEventTypes } from '../types.ts';

/** Source: docs/contract.md, section 8. Absent or empty lists mean everything. */
export const Credentials = Type.Object({
  webhook_url: described('Where events go, by http or https.', Uri),
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
      description: 'What deliveries are signed with, by the rules of Standard Webhooks.',
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
      '`failing`: nothing but failures of late, and tried again. `disabled`: nothing is delivered; what happens meanwhile is kept for 7 days and can be replayed in the console.',
      Choice(['active', 'failing', 'disabled']),
    ),
    reason: described('Why it is not `active`, in words.', Nullable(Type.String())),
  },
  { title: 'WebhookState' },
);

export type SettingsState = Static<typeof SettingsState>;
