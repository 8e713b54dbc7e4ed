import Type, { type Static } from 'typebox';
import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { findProfile } from './store.ts';

/** The path parameters that name a profile. Each loader finds the profile in the principal's project. */

export const ExternalIdParams = Type.Object({ id: Type.String({ examples: ['client-7'] }) });
/** With or without its `+`. */
export const PhoneParams = Type.Object({ number: Type.String({ examples: ['12025550123'] }) });

type Load<Params> = (
  context: Context,
  principal: Principal,
  params: Params,
) => ReturnType<typeof findProfile>;

export const byUuid: Load<{ uuid: string }> = ({ sql }, { projectId }, { uuid }) =>
  findProfile(sql, projectId, { id: uuid });

export const byChat: Load<{ uuid: string }> = ({ sql }, { projectId }, { uuid }) =>
  findProfile(sql, projectId, { chat_id: uuid });

export const byExternalId: Load<Static<typeof ExternalIdParams>> = ({ sql }, { projectId }, { id }) =>
  findProfile(sql, projectId, { external_id: id });

export const byPhone: Load<Static<typeof PhoneParams>> = async ({ sql }, { projectId }, { number }) => {
  const phone = normalizePhone(number);
  return phone ? findProfile(sql, projectId, { phone_number: phone }) : undefined;
};
