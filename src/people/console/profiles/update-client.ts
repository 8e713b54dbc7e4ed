import type { Member } from '../../../access/auth/member.ts';
import { findDefaultCountry } from '../../../access/projects/store.ts';
import { byUuid } from '../../../clients/profiles/load.ts';
import { Profile } from '../../../clients/profiles/schema.ts';
import { update } from '../../../clients/profiles/update.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { ClientUpdate, type Conflict } from './schema.ts';

/**
 * PUT /console/api/profiles/{uuid}/: a change of a profile by a person who saw it. 409, with the current profile,
 * when the same fields have been changed meanwhile.
 */
export const updateClient = actionFor<Member>()({
  params: UuidParams,
  body: ClientUpdate,
  response: Profile,
  load: byUuid,
  handle: async ({ context, principal, body: { seen, ...body }, loaded, reply }) => {
    const country = await findDefaultCountry(context.sql, principal.projectId);
    const { profile, isChanged } = await update({ context, principal, body, loaded, seen, country });
    if (isChanged || isAsSeen(profile, seen)) return profile;
    const conflict: Conflict = { detail: 'Another person changed this profile.', profile };
    return reply.code(409).send(conflict);
  },
});

/** Whether a change without effect had nothing to change. */
function isAsSeen(profile: Profile, { attrs = {}, ...fields }: ClientUpdate['seen']): boolean {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const now: Record<string, unknown> = profile;
  return (
    Object.entries(fields).every(([name, value]) => isSame(now[name], value)) &&
    Object.entries(attrs).every(([name, value]) => isSame(profile.attrs[name] ?? null, value))
  );
}
