import type { Receipt } from '../../channels/contract/capabilities.ts';
import type { Sql } from '../../platform/database/database.ts';

type ChannelKey = { projectId: string; id: string };

export type EarlyReceipt = { provider_id: string; state: Receipt; detail: string };

/** Keeps receipts until their messages are known by the provider's ids. */
export async function keepEarly(
  sql: Sql,
  { projectId, id }: ChannelKey,
  receipts: readonly EarlyReceipt[],
  now: Date,
): Promise<void> {
  await sql`
    insert into early_receipts (project_id, channel_id, provider_id, state, detail, received_at)
    select distinct on (provider_id, state) ${projectId}::uuid, ${id}::uuid, provider_id, state, detail, ${now}::timestamptz
    from jsonb_to_recordset(${sql.json(receipts)}) as early (provider_id text, state text, detail text)
    order by provider_id, state
    on conflict do nothing`;
}

/** Takes the receipts that were kept for these ids. */
export function takeEarly(
  sql: Sql,
  { projectId, id }: ChannelKey,
  providerIds: readonly string[],
): Promise<EarlyReceipt[]> {
  return sql<EarlyReceipt[]>`
    delete from early_receipts
    where project_id = ${projectId} and channel_id = ${id} and provider_id = any (${[...providerIds]}::text[])
    returning provider_id, state, detail`;
}

/** Deletes receipts from before that time. They belong to no message of ours. */
export async function forgetEarly(sql: Sql, before: Date): Promise<void> {
  await sql`delete from early_receipts where received_at < ${before}`;
}
