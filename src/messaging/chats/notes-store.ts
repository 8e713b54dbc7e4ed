import type { Pool, Sql } from '../../platform/database/database.ts';
import { insertSeen } from './external-ids-store.ts';

export type NewNote = {
  project_id: string;
  id: string;
  chat_id: string;
  author_id: string | null;
  author_name: string;
  text: string;
  /** Its id in the author's system. Null if there is none. */
  external_id?: string | null;
  created_at: Date;
};

/** A remark for operators; the client never sees it. */
export async function insertNote(sql: Sql, note: NewNote): Promise<void> {
  await sql`
    insert into notes (project_id, id, chat_id, author_id, author_name, text, external_id, created_at)
    values (${note.project_id}, ${note.id}, ${note.chat_id}, ${note.author_id}, ${note.author_name}, ${note.text},
      ${note.external_id ?? null}, ${note.created_at})`;
}

/** Inserts a note that its author may send twice. `isSeen` recognizes the error of the second time. */
export async function insertNoteOnce(
  sql: Pool,
  note: NewNote,
  { ownerId, externalId }: { ownerId: string; externalId: string },
): Promise<void> {
  const { project_id: projectId, id: messageId, chat_id: chatId, created_at: now } = note;
  await sql.begin(async (transaction) => {
    await insertSeen(transaction, { projectId, ownerId, externalId, messageId, chatId, now });
    await insertNote(transaction, note);
  });
}
