import Type, { type Static } from 'typebox';
import { DateTime, Integer, Line, Nullable, Uuid } from '../../../platform/http/fields.ts';
import { PageOf } from '../../../platform/http/pages.ts';

export const Application = Type.Object({
  /** The client id. */
  uuid: Uuid,
  name: Type.String(),
  /** Whether this project owns it, and may therefore change it. */
  is_own: Type.Boolean(),
  /** Empty for an application of another project, or without an owner. */
  redirect_uris: Type.Array(Type.String()),
  /** The time since when it has access to this project. Null without access. */
  connected_at: Nullable(DateTime),
  /** The last issue or renewal of its tokens. */
  renewed_at: Nullable(DateTime),
  has_webhook: Type.Boolean(),
  /** The number of projects that have given access to an application of this project. 0 for others. */
  projects: Integer(),
});

export type Application = Static<typeof Application>;

export const Applications = PageOf(Application);

const RedirectUris = Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 20 });

export const ApplicationCreate = Type.Object({ name: Line(255), redirect_uris: RedirectUris });

export type ApplicationCreate = Static<typeof ApplicationCreate>;

export const ApplicationPatch = Type.Object({
  name: Type.Optional(Line(255)),
  redirect_uris: Type.Optional(RedirectUris),
});

export type ApplicationPatch = Static<typeof ApplicationPatch>;

/** The secret is shown only this once. */
export const ApplicationSecret = Type.Object({ uuid: Uuid, client_secret: Type.String() });

export type ApplicationSecret = Static<typeof ApplicationSecret>;
