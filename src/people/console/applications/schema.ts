import Type, { type Static } from 'typebox';
import { DateTime, Integer, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';
import { PageOf } from '../../../platform/http/pages.ts';

export const Application = Type.Object({
  /** The client id. */
  uuid: Uuid,
  name: Type.String(),
  /** Whether this project owns it, and so may change it. */
  is_own: Type.Boolean(),
  /** Empty for one that another project owns, or nobody. */
  redirect_uris: Type.Array(Type.String()),
  /** Since when it has access to this project; null where it has none. */
  connected_at: Nullable(DateTime),
  /** When its tokens were issued or renewed last. */
  renewed_at: Nullable(DateTime),
  has_webhook: Type.Boolean(),
  /** How many projects have given access to an application of this project; 0 for others. */
  projects: Integer(),
});

export type Application = Static<typeof Application>;

export const Applications = PageOf(Application);

const RedirectUris = Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 20 });

export const ApplicationCreate = Type.Object({ name: Text(255), redirect_uris: RedirectUris });

export type ApplicationCreate = Static<typeof ApplicationCreate>;

export const ApplicationPatch = Type.Object({
  name: Type.Optional(Text(255)),
  redirect_uris: Type.Optional(RedirectUris),
});

export type ApplicationPatch = Static<typeof ApplicationPatch>;

/** The secret is shown this once. */
export const ApplicationSecret = Type.Object({ uuid: Uuid, client_secret: Type.String() });

export type ApplicationSecret = Static<typeof ApplicationSecret>;
