import type { Sql } from '../../platform/database/database.ts';
import type { Integration } from './integration.ts';

export type EndpointRow = {
  id: string;
  url: string;
  event_types: string[];
  platforms: string[];
  sealed_secrets: Buffer;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
};

const columns = (sql: Sql) => sql`
  id, url, event_types, platforms, sealed_secrets, failing_since, disabled_at, disabled_reason`;

type NewEndpoint = Integration & {
  id: string;
  url: string;
  eventTypes: readonly string[];
  platforms: readonly string[];
  sealedSecrets: Buffer;
  createdAt: Date;
};

export async function findEndpoint(
  sql: Sql,
  { projectId, applicationId }: Integration,
): Promise<EndpointRow | undefined> {
  const [endpoint] = await sql<EndpointRow[]>`
    select ${columns(sql)} from endpoints
    where project_id = ${projectId} and application_id = ${applicationId}`;
  return endpoint;
}

/**
 * Replaces the settings at once and as a whole. The id and the secrets of an existing endpoint stay. Undefined when
 * the application's access has ended meanwhile.
 */
export async function saveEndpoint(sql: Sql, endpoint: NewEndpoint): Promise<EndpointRow | undefined> {
  const { projectId, id, applicationId, url, eventTypes, platforms, sealedSecrets, createdAt } = endpoint;
  const [saved] = await sql<EndpointRow[]>`
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
    select ${projectId}, ${id}, ${applicationId}, ${url}, ${eventTypes}::text[], ${platforms}::text[], ${sealedSecrets},
      ${createdAt}
    where exists (
      select from token_families
      where project_id = ${projectId} and application_id = ${applicationId} and revoked_at is null
    )
    on conflict (project_id, coalesce(application_id, '00000000-0000-0000-0000-000000000000')) do update set
      url = excluded.url, event_types = excluded.event_types, platforms = excluded.platforms,
      failing_since = null, disabled_at = null, disabled_reason = null
    returning ${columns(sql)}`;
  return saved;
}

/** Ends the delivery of the endpoint's events. A disabled endpoint keeps its reason. */
export async function closeEndpoint(
  sql: Sql,
  projectId: string,
  id: string,
  reason: string,
  now: Date,
): Promise<void> {
  await sql`
    update endpoints set disabled_at = ${now}, disabled_reason = ${reason}
    where project_id = ${projectId} and id = ${id} and disabled_at is null`;
}

/** Deletes some of an endpoint's undelivered events, and returns their number. */
export async function deleteWaitingEvents(sql: Sql, endpointId: string, atMost: number): Promise<number> {
  return await sql`
    with part as (
      select project_id, endpoint_id, id from events
      where endpoint_id = ${endpointId} and state in ('PENDING', 'KEPT') limit ${atMost}
    )
    delete from events using part
    where events.project_id = part.project_id and events.endpoint_id = part.endpoint_id and events.id = part.id`.count();
}

/** The same for the chats' queues, which every writer locks in this order. */
export async function deleteQueues(sql: Sql, endpointId: string, atMost: number): Promise<number> {
  return await sql`
    with part as (
      select endpoint_id, chat_id from event_queues where endpoint_id = ${endpointId}
      order by endpoint_id, chat_id limit ${atMost} for update
    )
    delete from event_queues using part
    where event_queues.endpoint_id = part.endpoint_id and event_queues.chat_id = part.chat_id`.count();
}

/** Waits for running writers of its events. */
export async function deleteEndpoint(sql: Sql, projectId: string, id: string): Promise<void> {
  await sql`delete from endpoints where project_id = ${projectId} and id = ${id}`;
}

export async function lockSecrets(sql: Sql, projectId: string, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ sealed_secrets: Buffer }[]>`
    select sealed_secrets from endpoints where project_id = ${projectId} and id = ${id} for update`;
  return row?.sealed_secrets ?? null;
}

export async function saveSecrets(sql: Sql, projectId: string, id: string, sealed: Buffer): Promise<void> {
  await sql`update endpoints set sealed_secrets = ${sealed} where project_id = ${projectId} and id = ${id}`;
}
