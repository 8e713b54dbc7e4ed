import Type, { type Static } from 'typebox';
import { Choice, DateTime, Nullable, Uri, Uuid } from '../../../platform/http/fields.ts';

const Client = Type.Object({ chat: Uuid, name: Type.String(), platform: Type.String() });

export const Home = Type.Object({
  /** The steps that were done in this project at least once. */
  steps: Type.Object({
    channel: Type.Boolean(),
    written: Type.Boolean(),
    push: Type.Boolean(),
    scenario: Type.Boolean(),
    mailing: Type.Boolean(),
  }),
  /** The page where anybody can write to the project as a client. Null if there is none. */
  demo_url: Nullable(Uri),
  /** The expiry of the demo's printed keys. Null without expiry. */
  demo_keys_end_at: Nullable(DateTime),
  /** The clients who wrote last, at most five. */
  clients: Type.Array(Client),
  /** The newest mailings that wait for the reader's approval. */
  approvals: Type.Array(
    Type.Object({ uuid: Uuid, name: Type.String(), author: Nullable(Type.String()), at: DateTime }),
  ),
  /** Problems that need attention. */
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
