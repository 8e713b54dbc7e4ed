import type { Member } from '../../../access/auth/member.ts';
import type { TeamMember, WayIn } from './schema.ts';
import type { MemberRow } from './store.ts';

export const presentMember = (
  { id, user_id: _user, signs_in: _signs, last_seen_at, ...row }: MemberRow,
  you: Member,
): TeamMember => ({
  uuid: id,
  ...row,
  last_seen_at: last_seen_at?.toISOString() ?? null,
  is_you: id === you.operatorId,
});

export const presentWay = ({
  way,
  link,
  mailFailed,
}: Omit<WayIn, 'mail_failed'> & { mailFailed: boolean }): WayIn => ({ way, link, mail_failed: mailFailed });
