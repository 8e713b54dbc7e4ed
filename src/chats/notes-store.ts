import type { Sql } from '../storage/database.ts';

export type NewNote = {
  project_id: string;
  id: string;
  chat_id: string;
  author_id: string | null;
  author_name: string;
  text: string;
  created_at: Date;
};

/** A remark for operators; the client never sees it. */
export async function insertNote(sql: Sql, note: NewNote): Promise<void> {
  await sql`
    insert into notes (project_id, id, chat_id, author_id, author_name, text, created_at)
    values (${note.project_id}, ${note.id}, ${note.chat_id}, ${note.author_id}, ${note.author_name}, ${note.text},
      ${note.created_at})`;
}
