import { liveGrant } from '../../access/live-grant-store.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { ProjectEventType } from '../types.ts';
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
 * the application's access has ended meanwhile. An end of the access waits for the webhook, and then disables it.
 */
export async function saveEndpoint(sql: Sql, endpoint: NewEndpoint): Promise<EndpointRow | undefined> {
  const { projectId, id, applicationId, url, eventTypes, platforms, sealedSecrets, createdAt } = endpoint;
  const [saved] = await sql<EndpointRow[]>`
    with access as (${liveGrant(sql, projectId, applicationId)})
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
    select project_id, ${id}, application_id, ${url}, ${eventTypes}::text[], ${platforms}::text[], ${sealedSecrets},
      ${createdAt}
    from access
    on conflict (project_id, coalesce(application_id, '00000000-0000-0000-0000-000000000000')) do update set
      url = excluded.url, event_types = excluded.event_types, platforms = excluded.platforms,
      failing_since = null, disabled_at = null, disabled_reason = null
    returning ${columns(sql)}`;
  return saved;
}

type NewProjectWebhook = {
  projectId: string;
  id: string;
  url: string;
  eventTypes: ProjectEventType[];
  sealedSecrets: Buffer;
  createdAt: Date;
};

/** Replaces the project's own webhook, which keeps its id and its secrets. Returns these. */
export async function saveProjectWebhook(
  sql: Sql,
  webhook: NewProjectWebhook,
): Promise<{ id: string; sealed_secrets: Buffer }> {
  const [row] = await sql<[{ id: string; sealed_secrets: Buffer }]>`
    insert into endpoints (project_id, id, url, event_types, platforms, sealed_secrets, created_at)
    values (${webhook.projectId}, ${webhook.id}, ${webhook.url}, ${webhook.eventTypes}, '{}', ${webhook.sealedSecrets},
      ${webhook.createdAt})
    on conflict (project_id, coalesce(application_id, '00000000-0000-0000-0000-000000000000')) do update set
      url = excluded.url, event_types = excluded.event_types,
      failing_since = null, disabled_at = null, disabled_reason = null
    returning id, sealed_secrets`;
  return row;
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

/** A statement for a CTE: the same for the webhooks of integrations. `ended` has their projects and applications. */
export const disabledEndpoints = (sql: Sql, ended: Fragment, now: Date) => sql`
  update endpoints set disabled_at = ${now}, disabled_reason = ended.reason from ${ended} as ended
  where endpoints.project_id = ended.project_id and endpoints.application_id = ended.application_id
    and disabled_at is null`;

/** Returns false and changes nothing when the webhook's application has no access to the project. */
export async function enableEndpoint(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const application = sql`(select application_id from endpoints where project_id = ${projectId} and id = ${id})`;
  const rows = await sql`
    with access as (${liveGrant(sql, projectId, application)})
    update endpoints set failing_since = null, disabled_at = null, disabled_reason = null
    where project_id = ${projectId} and id = ${id}
      and (application_id is null or application_id = (select application_id from access))
    returning 1`;
  return rows.length === 1;
}

/** Waits for running writers of its events. Returns whether it was there. */
export async function deleteEndpoint(sql: Sql, projectId: string, id: string): Promise<boolean> {
  return (await sql`delete from endpoints where project_id = ${projectId} and id = ${id}`.count()) > 0;
}

export async function lockSecrets(sql: Sql, projectId: string, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ sealed_secrets: Buffer }[]>`
    select sealed_secrets from endpoints where project_id = ${projectId} and id = ${id} for update`;
  return row?.sealed_secrets ?? null;
}

export async function saveSecrets(sql: Sql, projectId: string, id: string, sealed: Buffer): Promise<void> {
  await sql`update endpoints set sealed_secrets = ${sealed} where project_id = ${projectId} and id = ${id}`;
}
