import { action } from '../http/action.ts';
import { UuidParams } from '../http/fields.ts';
import { byChat, byExternalId, byPhone, byUuid, ExternalIdParams, PhoneParams } from './load.ts';
import { type ProfileRow, presentProfile } from './present.ts';
import { Profile } from './schema.ts';

const show = {
  response: Profile,
  handle: async ({ loaded }: { loaded: ProfileRow }) => presentProfile(loaded),
};

/** GET /api/partners/profiles/{uuid}/. Source: specification, "Profiles". */
export const readProfile = action({ params: UuidParams, load: byUuid, ...show });

/** GET /api/partners/profiles/chat/{uuid}/: the profile of a chat. */
export const readProfileOfChat = action({ params: UuidParams, load: byChat, ...show });

/** GET /api/partners/profiles/external/{id}/ */
export const readProfileByExternalId = action({ params: ExternalIdParams, load: byExternalId, ...show });

/** GET /api/partners/profiles/phone/{number}/ */
export const readProfileByPhone = action({ params: PhoneParams, load: byPhone, ...show });
