import type { Platform } from '../channels/contract/platforms.ts';
import { hasList, whyNot } from '../clients/consent/refusal-store.ts';
import type { Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';

/** A client who gets the tests of mailings. The chat is the most recently active one. Null without a reachable one. */
export type Colleague = {
  id: string;
  name: string | null;
  chat_id: string | null;
  platform: Platform | null;
  /** Why a mailing does not reach them. Null if it may. */
  barred: string | null;
};

/** The colleagues by name, with their chats on these platforms. A mailing about a topic does not reach who left it. */
export function colleaguesOn(
  sql: Sql,
  projectId: string,
  platforms: readonly Platform[],
  topicId: string | null = null,
): Promise<Colleague[]> {
  const client = { projectId: sql`profiles.project_id`, profileId: sql`profiles.id` };
  const rule = {
    topicId: topicId === null ? null : sql`${topicId}::uuid`,
    hasList: hasList(sql, sql`${projectId}`),
  };
  return sql<Colleague[]>`
    select profiles.id, coalesce(profiles.name, chat.name) as name, chat.id as chat_id, chat.platform,
      ${whyNot(sql, client, rule)} as barred
    from colleagues
    join profiles on profiles.project_id = colleagues.project_id and profiles.id = colleagues.profile_id
    left join lateral (
      select id, name, platform from chats
      where chats.project_id = ${projectId} and chats.profile_id = profiles.id and chats.stopped_at is null
        and chats.platform = any (${[...platforms]}::text[])
      order by last_active_at desc, id limit 1
    ) as chat on true
    where colleagues.project_id = ${projectId}
    order by name, profiles.id`;
}

export async function addColleague(sql: Sql, projectId: string, profileId: string): Promise<void> {
  await sql`
    insert into colleagues (project_id, profile_id) values (${projectId}, ${profileId}) on conflict do nothing`;
}

export async function removeColleague(sql: Sql, projectId: string, profileId: string): Promise<void> {
  await sql`delete from colleagues where project_id = ${projectId} and profile_id = ${profileId}`;
}

export type MailingTest = {
  digest: Buffer;
  /** The variant and form that each push message of the test says, numbered from 1 on. */
  pushes: readonly { push_id: string; variant: number }[];
  author_id: string;
  author_name: string | null;
  created_at: Date;
};

/** Keeps who tested a content first, and the push messages of every test. */
export async function noteTest(
  sql: Sql,
  projectId: string,
  { digest, pushes, author_id, author_name, created_at }: MailingTest,
): Promise<void> {
  await sql`
    with noted as (
      insert into mailing_tests (project_id, digest, author_id, author_name, created_at)
      values (${projectId}, ${digest}, ${author_id}, ${author_name}, ${created_at}) on conflict do nothing
    )
    insert into mailing_test_pushes (project_id, digest, variant, push_id)
    select ${projectId}, ${digest}, variant, push_id
    from ${fewRows(sql, pushes, 'pushes', sql`push_id uuid, variant smallint`)}`;
}

/** Whether each of the content's variants was sent to a colleague, in each of its forms. Others may have been sent, too. */
export async function isTested(
  sql: Sql,
  projectId: string,
  { digest, variants }: { digest: Buffer; variants: number },
): Promise<boolean> {
  const [row] = await sql<{ sent: number; has_pushes: boolean }[]>`
    select count(distinct pushes.variant) filter (
        where messages.state in ('SENT', 'DELIVERED', 'READ') and pushes.variant <= ${variants}
      )::int as sent,
      count(push_id) > 0 as has_pushes
    from mailing_tests tests
    left join mailing_test_pushes pushes using (project_id, digest)
    left join messages on messages.project_id = pushes.project_id and messages.id = pushes.push_id
    where tests.project_id = ${projectId} and digest = ${digest}
    group by tests.digest`;
  return row !== undefined && (!row.has_pushes || row.sent === variants);
}
