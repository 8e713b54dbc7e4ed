import type { Sql } from '../../platform/database/database.ts';

/** An enabled endpoint, with the columns that a worker needs. */
export type EndpointRow = {
  id: string;
  project_id: string;
  url: string;
  sealed_secrets: Buffer;
  failing_since: Date | null;
};

export async function findEnabledEndpoint(sql: Sql, endpointId: string): Promise<EndpointRow | null> {
  const [endpoint] = await sql<EndpointRow[]>`
    select id, project_id, url, sealed_secrets, failing_since from endpoints
    where id = ${endpointId} and disabled_at is null`;
  return endpoint ?? null;
}

/** The address is compared, so that an old address's answers do not count against its replacement. */
type Called = { endpointId: string; url: string };

export async function noteRecovery(sql: Sql, { endpointId, url }: Called): Promise<void> {
  await sql`
    update endpoints set failing_since = null
    where id = ${endpointId} and url = ${url} and failing_since is not null`;
}

export async function noteFailure(sql: Sql, { endpointId, url }: Called, since: Date): Promise<void> {
  await sql`
    update endpoints set failing_since = ${since}
    where id = ${endpointId} and url = ${url} and failing_since is null`;
}

/** Disables an endpoint. With `failingSince`, only if it has had no success after that time. */
export async function disableEndpoint(
  sql: Sql,
  { endpointId, url }: Called,
  disabled: { at: Date; reason: string; failingSince: Date | null },
): Promise<void> {
  await sql`
    update endpoints set disabled_at = ${disabled.at}, disabled_reason = ${disabled.reason}
    where id = ${endpointId} and url = ${url} and disabled_at is null
      and (${disabled.failingSince}::timestamptz is null or failing_since <= ${disabled.failingSince})`;
}
