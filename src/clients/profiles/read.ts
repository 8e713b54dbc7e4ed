import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { ExternalIdParams, PhoneParams, whole } from './load.ts';
import { type ProfileRow, presentProfile } from './present.ts';
import { Profile } from './schema.ts';

const show = {
  response: Profile,
  handle: async ({ loaded }: { loaded: ProfileRow }) => presentProfile(loaded),
};

/** GET /api/partners/profiles/{uuid}/. Source: docs/contract.md, section 7. */
export const readProfile = action({
  name: 'readProfile',
  summary: 'Read a profile',
  params: UuidParams,
  load: whole.byUuid,
  ...show,
});

/** GET /api/partners/profiles/chat/{uuid}/: the profile of a chat. */
export const readProfileOfChat = action({
  name: 'readProfileOfChat',
  summary: 'Read the profile of a chat',
  params: UuidParams,
  load: whole.byChat,
  ...show,
});

/** GET /api/partners/profiles/external/{id}/ */
export const readProfileByExternalId = action({
  name: 'readProfileByExternalId',
  summary: 'Read a profile by its external id',
  params: ExternalIdParams,
  load: whole.byExternalId,
  ...show,
});

/** GET /api/partners/profiles/phone/{number}/ */
export const readProfileByPhone = action({
  name: 'readProfileByPhone',
  summary: 'Read a profile by its phone number',
  params: PhoneParams,
  load: whole.byPhone,
  ...show,
});
