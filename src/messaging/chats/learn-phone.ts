import { carryMembers } from '../../clients/audiences/members-store.ts';
import { type Actor, entryBy } from '../../clients/profiles/audit.ts';
import { changeProfile } from '../../clients/profiles/change-store.ts';
import { mergeProfiles } from '../../clients/profiles/merge.ts';
import { lockForPhone } from '../../clients/profiles/merge-store.ts';
import { areTwoPeople } from '../../clients/profiles/rules.ts';
import { afterNamings } from '../../clients/profiles/waiting.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import { carryDateStarts } from '../../scenarios/date-starts-store.ts';
import { carryEventStarts } from '../../scenarios/event-starts-store.ts';
import { type ChatRow, findChat, moveChats, setPhone } from './store.ts';

type Needs = Pick<Context, 'sql' | 'newId' | 'clock'>;

/**
 * Notes a chat's phone number (E.164). One number is one profile. A free number goes to the chat's profile, unless
 * that has another one. A profile that has the number already gets the chat. It also gets all data of the chat's
 * profile, unless the two are still different people. Source: docs/contract.md, section 7.
 */
export async function learnPhone(
  context: Needs,
  chat: ChatRow,
  phone: string,
  actor: Actor,
): Promise<ChatRow> {
  let profileId: string | null = null;
  while (profileId === null) {
    try {
      profileId = await afterNamings(chat.project_id, () =>
        context.sql.begin((transaction) => settle(transaction, context, chat, phone, actor)),
      );
    } catch (error) {
      // Another profile got the number meanwhile, and can be found now.
      if (!isUniqueViolation(error)) throw error;
    }
  }
  return { ...chat, phone, profile_id: profileId };
}

/** The chat's profile from now on. Null when the chat has moved to another profile before this one was locked. */
async function settle(
  sql: Sql,
  context: Needs,
  { project_id: projectId, id: chatId }: ChatRow,
  phone: string,
  actor: Actor,
): Promise<string | null> {
  const locked = await lockForPhone(sql, projectId, chatId, phone);
  const chat = await findChat(sql, projectId, chatId);
  const own = locked.find(({ id }) => id === chat?.profile_id);
  if (!chat || !own) return null;

  const owner = locked.find(({ phone_number }) => phone_number === phone);
  if (!owner && own.phone_number === null) {
    await changeProfile(sql, projectId, own.id, { fields: { phone_number: phone } }, entryBy(actor, context));
  }
  const profileId = owner?.id ?? own.id;
  const merges = owner !== undefined && owner.id !== own.id && !areTwoPeople(own, owner);
  if (merges) await carryStarts(sql, projectId, { from: own.id, to: owner.id });
  await setPhone(sql, chat, phone, profileId);
  if (merges) {
    await moveChats(sql, projectId, own.id, owner.id);
    await mergeProfiles(sql, context, projectId, { source: own, target: owner }, actor);
  }
  return profileId;
}

/** Before the chats are locked, like by a start that begins in one of them. */
async function carryStarts(sql: Sql, projectId: string, merged: { from: string; to: string }): Promise<void> {
  await carryMembers(sql, projectId, merged);
  await carryDateStarts(sql, projectId, merged);
  await carryEventStarts(sql, projectId, merged);
}
