import type { Fragment, Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import { inPositions } from '../../platform/database/positions.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';

/** The ids that a message from outside got. */
export type Received = { chatUuid: string; profileUuid: string; messageUuid: string };

/** An owner (a channel, an application or an operator) and its id for a message. */
export type ExternalId = { projectId: string; ownerId: string; externalId: string };

/** For each external id, the ids of its message, if the owner has used it before. */
export async function findSeen(
  sql: Sql,
  externalIds: readonly ExternalId[],
): Promise<(Received | undefined)[]> {
  const asked = externalIds.map(({ projectId, ownerId, externalId }, position) => ({
    position,
    project_id: projectId,
    owner_id: ownerId,
    external_id: externalId,
  }));
  const columns = sql`position integer, project_id uuid, owner_id uuid, external_id text`;
  const rows = await sql<(Received & { position: number })[]>`
    select asked.position, seen.message_id as "messageUuid", seen.chat_id as "chatUuid",
      chats.profile_id as "profileUuid"
    from ${fewRows(sql, asked, 'asked', columns)}
    join external_ids seen on seen.project_id = asked.project_id and seen.owner_id = asked.owner_id
      and seen.external_id = asked.external_id
    join chats on chats.project_id = seen.project_id and chats.id = seen.chat_id`;
  return inPositions(asked, rows);
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

/** A statement that forgets the outside ids of `rows` of `messages`. The owner is a channel, an application or an operator. */
export const forgottenIds = (sql: Sql, rows: Fragment) => sql`
  delete from external_ids using (
    select project_id, id, external_id, unnest(array[channel_id, application_id, author_id]) as owner_id from ${rows} as gone
    where external_id is not null
  ) as old
  where external_ids.project_id = old.project_id and external_ids.owner_id = old.owner_id
    and external_ids.external_id = old.external_id and message_id = old.id`;
