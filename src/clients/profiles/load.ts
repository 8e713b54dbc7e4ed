import Type, { type Static } from 'typebox';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { findProfile, findProfileId, type ProfileKey } from './store.ts';

/** The path parameters that name a profile. Each loader finds the profile in the principal's project. */

export const ExternalIdParams = Type.Object({ id: Type.String({ examples: ['client-7'] }) });
/** With or without its `+`. */
export const PhoneParams = Type.Object({ number: Type.String({ examples: ['12025550123'] }) });

type Find<Found> = (sql: Sql, projectId: string, key: ProfileKey) => Promise<Found | undefined>;
type From = Pick<Context, 'sql'>;
type Caller = Pick<Principal, 'projectId'>;

const loadersOf = <Found>(find: Find<Found>) => ({
  byUuid: ({ sql }: From, { projectId }: Caller, { uuid }: { uuid: string }) =>
    find(sql, projectId, { id: uuid }),
  byChat: ({ sql }: From, { projectId }: Caller, { uuid }: { uuid: string }) =>
    find(sql, projectId, { chat_id: uuid }),
  byExternalId: ({ sql }: From, { projectId }: Caller, { id }: Static<typeof ExternalIdParams>) =>
    find(sql, projectId, { external_id: id }),
  byPhone: async ({ sql }: From, { projectId }: Caller, { number }: Static<typeof PhoneParams>) => {
    const phone = normalizePhone(number);
    return phone ? find(sql, projectId, { phone_number: phone }) : undefined;
  },
});

/** Only the id. A client may have thousands of chats, and few requests need them. */
export const { byUuid, byExternalId, byPhone } = loadersOf(findProfileId);

/** The profile as it is shown, with all its chats. */
export const whole = loadersOf(findProfile);
