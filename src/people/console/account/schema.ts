import Type, { type Static } from 'typebox';
import { Choice, Uri, Uuid } from '../../../platform/http/fields.ts';

export const Account = Type.Object({
  email: Type.String(),
  projects: Type.Array(
    Type.Object({
      uuid: Uuid,
      title: Type.String(),
      role: Choice(['admin', 'operator']),
      operator: Type.Object({ uuid: Uuid, name: Type.String() }),
    }),
  ),
  /** Projects with a pending invitation. */
  invitations: Type.Array(
    Type.Object({ uuid: Uuid, title: Type.String(), role: Choice(['admin', 'operator']) }),
  ),
  may_make_projects: Type.Boolean(),
  /** For the sign-out form. */
  form_token: Type.String(),
  public_url: Uri,
});

export type Account = Static<typeof Account>;

export const PasswordChange = Type.Object({ current: Type.String(), password: Type.String() });

export type PasswordChange = Static<typeof PasswordChange>;
