import type { Sql } from '../../platform/database/database.ts';

export type QuickAnswerRow = { id: string; title: string; text: string; author_name: string };

const columns = (sql: Sql) => sql`id, title, text, author_name`;

/** Nobody looks through more of them. */
const most = 1_000;

export function listAnswers(sql: Sql, projectId: string): Promise<QuickAnswerRow[]> {
  return sql<QuickAnswerRow[]>`
    select ${columns(sql)} from quick_answers where project_id = ${projectId}
    order by lower(title), id limit ${most}`;
}

export async function findAnswer(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<QuickAnswerRow | undefined> {
  const [row] = await sql<QuickAnswerRow[]>`
    select ${columns(sql)} from quick_answers where project_id = ${projectId} and id = ${id}`;
  return row;
}

export async function insertAnswer(
  sql: Sql,
  projectId: string,
  answer: QuickAnswerRow & { author_id: string; created_at: Date },
): Promise<void> {
  await sql`
    insert into quick_answers (project_id, id, title, text, author_id, author_name, created_at)
    values (${projectId}, ${answer.id}, ${answer.title}, ${answer.text}, ${answer.author_id}, ${answer.author_name},
      ${answer.created_at})`;
}

/** Returns whether it was there. */
export async function updateAnswer(
  sql: Sql,
  projectId: string,
  { id, title, text }: Pick<QuickAnswerRow, 'id' | 'title' | 'text'>,
): Promise<boolean> {
  const count = await sql`
    update quick_answers set title = ${title}, text = ${text}
    where project_id = ${projectId} and id = ${id}`.count();
  return count > 0;
}

/** Returns whether it was there. */
export async function deleteAnswer(sql: Sql, projectId: string, id: string): Promise<boolean> {
  return (await sql`delete from quick_answers where project_id = ${projectId} and id = ${id}`.count()) > 0;
}
