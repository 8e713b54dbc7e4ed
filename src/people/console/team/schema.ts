import Type, { type Static } from 'typebox';
import { Choice, DateTime, Integer, Line, Nullable, Text, Uri, Uuid } from '../../../platform/http/fields.ts';
import { PageOf } from '../../../platform/http/pages.ts';

const Role = Choice(['admin', 'operator']);

export const TeamMember = Type.Object({
  uuid: Uuid,
  /** The name that clients see. */
  name: Type.String(),
  email: Type.String(),
  role: Role,
  /** `links_only`: enters through partners' temporary links, and cannot sign in. */
  state: Choice(['active', 'invited', 'links_only']),
  last_seen_at: Nullable(DateTime),
  open_chats: Integer(),
  is_you: Type.Boolean(),
});

export type TeamMember = Static<typeof TeamMember>;

export const Team = PageOf(TeamMember);

export const Invitation = Type.Object({ email: Text(254), role: Role });

export type Invitation = Static<typeof Invitation>;

/** How a person gets in. The link is shown only this once. */
export const WayIn = Type.Object({
  way: Choice(['mailed', 'link', 'command_line']),
  link: Nullable(Uri),
  mail_failed: Type.Boolean(),
});

export type WayIn = Static<typeof WayIn>;

export const TeamMemberPatch = Type.Object({
  name: Type.Optional(Line(255)),
  role: Type.Optional(Role),
});

export type TeamMemberPatch = Static<typeof TeamMemberPatch>;
