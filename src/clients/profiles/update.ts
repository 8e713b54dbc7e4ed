import type { Context } from '../../platform/context.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import { action } from '../../platform/http/action.ts';
import { mostKept, UuidParams } from '../../platform/http/fields.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { Invalid, invalid, messages, NotFound } from '../../platform/problem.ts';
import { actorOf, entryBy } from './audit.ts';
import { type Changed, changeProfile, type Seen } from './change-store.ts';
import { byExternalId, byPhone, byUuid, ExternalIdParams, PhoneParams } from './load.ts';
import { type ProfileRow, presentProfile } from './present.ts';
import { fieldsOf, isNaming } from './rules.ts';
import { Profile, ProfileUpdate } from './schema.ts';
import { findProfile, takenFields, uniqueFields } from './store.ts';
import { afterChanges, afterNamings } from './waiting.ts';

type Update = {
  context: Context;
  principal: Principal;
  body: ProfileUpdate;
  loaded: Pick<ProfileRow, 'id'>;
  /** The country whose national phone numbers are accepted. Default: none. */
  country?: string | null;
  /** Nothing changes if one of these values is outdated. */
  seen?: Seen;
};

/** Absent keys stay unchanged, `tags` replaces, `attrs` merges. Read-only fields and undefined names are skipped. */
export function update(given: Update): Promise<{ profile: Profile; isChanged: boolean }> {
  const { context, principal, loaded } = given;
  return afterChanges(principal.projectId, loaded.id, async () => {
    const { isChanged, tooLarge } = await changed(given);
    if (tooLarge !== null) throw invalid(tooLarge, messages.maxLength(mostKept));
    // In turn too, since it may have thousands of chats.
    const profile = await findProfile(context.sql, principal.projectId, loaded);
    // The profile has been merged since it was loaded.
    if (!profile) throw new NotFound();
    return { profile: presentProfile(profile), isChanged };
  });
}

async function changed(given: Update): Promise<Changed> {
  const { context, principal, body, loaded, country = null, seen } = given;
  const { sql } = context;
  const { projectId } = principal;
  const fields = fieldsOf(body, country);
  const change = { fields, tags: body.tags && { replace: body.tags }, attrs: body.attrs };
  const entry = entryBy(actorOf(principal), context);
  const make = () => changeProfile(sql, projectId, loaded.id, change, entry, { seen });
  try {
    return await (isNaming(fields) ? afterNamings(projectId, make) : make());
  } catch (error) {
    const first = uniqueFields.find((field) => isUniqueViolation(error, `profiles_project_id_${field}_key`));
    if (!first) throw error;
    // The database names the first conflict only, which may be free again by now.
    const taken = new Set([first, ...(await takenFields(sql, projectId, loaded.id, fields))]);
    throw new Invalid(Object.fromEntries([...taken].map((field) => [field, [messages.unique]])));
  }
}

const change = {
  description:
    'Absent keys stay unchanged. `tags` replaces all tags. `attrs` is merged by key, and null clears. Tags and attributes that the project does not define are ignored.',
  body: ProfileUpdate,
  response: Profile,
  handle: async (given: Update) => (await update(given)).profile,
};

/** PUT /api/partners/profiles/{uuid}/. Source: docs/contract.md, section 7. */
export const updateProfile = action({
  name: 'updateProfile',
  summary: 'Change a profile',
  params: UuidParams,
  load: byUuid,
  ...change,
});

/** PUT /api/partners/profiles/external/{id}/ */
export const updateProfileByExternalId = action({
  name: 'updateProfileByExternalId',
  summary: 'Change a profile by its external id',
  params: ExternalIdParams,
  load: byExternalId,
  ...change,
});

/** PUT /api/partners/profiles/phone/{number}/ */
export const updateProfileByPhone = action({
  name: 'updateProfileByPhone',
  summary: 'Change a profile by its phone number',
  params: PhoneParams,
  load: byPhone,
  ...change,
});
