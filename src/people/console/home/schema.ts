import Type, { type Static } from 'typebox';
import { Choice, DateTime, Nullable, Uri, Uuid } from '../../../platform/http/fields.ts';

const Client = Type.Object({ chat: Uuid, name: Type.String(), platform: Type.String() });

export const Home = Type.Object({
  /** What has been done in this project at least once. */
  steps: Type.Object({
    channel: Type.Boolean(),
    written: Type.Boolean(),
    push: Type.Boolean(),
    scenario: Type.Boolean(),
    mailing: Type.Boolean(),
  }),
  /** Where somebody can write to the project at once, as a client; null where no such page is. */
  demo_url: Nullable(Uri),
  /** When the demo's printed keys end; null where they do not. */
  demo_keys_end_at: Nullable(DateTime),
  /** Those who have written last, at most five. */
  clients: Type.Array(Client),
  /** What somebody should look at. */
  troubles: Type.Array(
    Type.Object({
      kind: Choice(['channel_paused', 'webhook_disabled', 'mailing_error']),
      uuid: Uuid,
      name: Type.String(),
      detail: Type.String(),
    }),
  ),
});

export type Home = Static<typeof Home>;
