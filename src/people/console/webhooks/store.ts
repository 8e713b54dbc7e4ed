import type { Platform } from '../../../channels/contract/platforms.ts';
import type { EventType } from '../../../events/types.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';

export type WebhookRow = {
  id: string;
  application_id: string | null;
  application_name: string | null;
  url: string;
  event_types: EventType[];
  platforms: Platform[];
  sealed_secrets: Buffer;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  created_at: Date;
  waiting: number;
  waiting_more: boolean;
};

/** The most chats with undelivered events that are counted. */
const countedChats = 1_000;

const webhooks = (sql: Sql, projectId: string, condition: Fragment) => sql<WebhookRow[]>`
  select endpoints.id, application_id, applications.name as application_name, url, event_types, platforms,
    sealed_secrets, failing_since, disabled_at, disabled_reason, endpoints.created_at,
    coalesce(queues.waiting, 0) as waiting, queues.chats > ${countedChats} as waiting_more
  from endpoints
  left join applications on applications.id = application_id
  cross join lateral (
    select sum(waiting)::int as waiting, count(*) as chats from (
      select waiting from event_queues where endpoint_id = endpoints.id and waiting > 0
      order by due_at limit ${countedChats + 1}
    ) waiting_chats
  ) queues
  where endpoints.project_id = ${projectId} and ${condition}
  order by application_id is not null, endpoints.created_at, endpoints.id`;

/** The project's own first, then the applications' by age. */
export const findWebhooks = (sql: Sql, projectId: string): Promise<WebhookRow[]> =>
  webhooks(sql, projectId, sql`true`);

export async function findWebhook(sql: Sql, projectId: string, id: string): Promise<WebhookRow | undefined> {
  const [row] = await webhooks(sql, projectId, sql`endpoints.id = ${id}`);
  return row;
}

export async function findProjectWebhook(sql: Sql, projectId: string): Promise<{ id: string } | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from endpoints where project_id = ${projectId} and application_id is null`;
  return row ?? null;
}
