import type { Pool, Sql } from '../../platform/database/database.ts';
import { NotFound } from '../../platform/problem.ts';

/** What mailings are about. The names are the columns'. */
export type Topic = {
  id: string;
  name: string;
  description: string;
  words: string[];
  /** A client gets at most so many mailings about it in so many days. Both are null without a cap. */
  cap_messages: number | null;
  cap_days: number | null;
};

const columns = (sql: Sql) => sql`id, name, description, words, cap_messages, cap_days`;

export function listTopics(sql: Sql, projectId: string): Promise<Topic[]> {
  return sql<Topic[]>`
    select ${columns(sql)} from topics where project_id = ${projectId}
    order by lower(name collate "C"), id`;
}

export async function findTopic(sql: Sql, projectId: string, id: string): Promise<Topic | undefined> {
  const [row] = await sql<Topic[]>`
    select ${columns(sql)} from topics where project_id = ${projectId} and id = ${id}`;
  return row;
}

export async function findTopicNamed(sql: Sql, projectId: string, name: string): Promise<Topic | undefined> {
  const [row] = await sql<Topic[]>`
    select ${columns(sql)} from topics
    where project_id = ${projectId} and lower(name collate "C") = lower(${name}::text collate "C") and name = ${name}`;
  return row;
}

/** Throws a violation of `topicsName` for a name that is in use. */
export async function insertTopic(
  sql: Sql,
  projectId: string,
  { id, name, description, words, cap_messages, cap_days }: Topic,
  now: Date,
): Promise<void> {
  await sql`
    insert into topics (project_id, id, name, description, words, cap_messages, cap_days, created_at)
    values (${projectId}, ${id}, ${name}, ${description}, ${words}, ${cap_messages}, ${cap_days}, ${now})`;
}

/** Throws a violation of `topicsName` for a name that is in use. */
export async function updateTopic(sql: Sql, projectId: string, topic: Topic): Promise<void> {
  const { id, name, description, words, cap_messages, cap_days } = topic;
  await sql`
    update topics set name = ${name}, description = ${description}, words = ${words}, cap_messages = ${cap_messages},
      cap_days = ${cap_days}
    where project_id = ${projectId} and id = ${id}`;
}

export const topicsName = 'topics_name';

/**
 * False when a mailing is about the topic. Without it, the mailing's next run would reach those who left. The lock waits
 * for a mailing that is just being made, so that the next statement sees it.
 */
export function deleteTopic(sql: Pool, projectId: string, id: string): Promise<boolean> {
  return sql.begin(async (transaction) => {
    const [topic] = await transaction`
      select id from topics where project_id = ${projectId} and id = ${id} for update`;
    if (!topic) throw new NotFound();
    const count = await transaction`
      delete from topics where project_id = ${projectId} and id = ${id}
        and not exists (select from mailings where mailings.project_id = ${projectId} and topic_id = ${id})`.count();
    return count > 0;
  });
}
