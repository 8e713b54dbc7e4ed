import type { Sql } from '../../platform/database/database.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';

/** The ids that a message from outside got. */
export type Received = { chatUuid: string; profileUuid: string; messageUuid: string };

/** Returns the ids of a message whose outside id its owner (a channel or an application) has used before. */
export async function findSeen(
  sql: Sql,
  projectId: string,
  ownerId: string,
  externalId: string,
): Promise<Received | undefined> {
  const [row] = await sql<Received[]>`
    select seen.message_id as "messageUuid", seen.chat_id as "chatUuid", chats.profile_id as "profileUuid"
    from external_ids seen
    join chats on chats.project_id = seen.project_id and chats.id = seen.chat_id
    where seen.project_id = ${projectId} and seen.owner_id = ${ownerId} and seen.external_id = ${externalId}`;
  return row;
}

type Seen = {
  projectId: string;
  ownerId: string;
  externalId: string;
  messageId: string;
  chatId: string;
  now: Date;
};

/** Stores an outside id in the transaction that stores its message. `isSeen` recognizes the error of a second use. */
export async function insertSeen(sql: Sql, seen: Seen): Promise<void> {
  await sql`
    insert into external_ids (project_id, owner_id, external_id, message_id, chat_id, created_at)
    values (${seen.projectId}, ${seen.ownerId}, ${seen.externalId}, ${seen.messageId}, ${seen.chatId}, ${seen.now})`;
}

export const isSeen = (error: unknown): boolean => isUniqueViolation(error, 'external_ids_pkey');
