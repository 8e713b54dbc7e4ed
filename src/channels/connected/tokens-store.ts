import type { Sql } from '../../platform/database/database.ts';

type ChannelKey = { projectId: string; id: string };

export type TokenRow = { sealed_token: Buffer; renew_at: Date; ends_at: Date };

/** Null before the first one. */
export async function findToken(sql: Sql, { projectId, id }: ChannelKey): Promise<TokenRow | null> {
  const [row] = await sql<TokenRow[]>`
    select sealed_token, renew_at, ends_at from channel_tokens
    where project_id = ${projectId} and channel_id = ${id} and sealed_token is not null`;
  return row ?? null;
}

/**
 * Whether this process must fetch the token after `seen`. Its claim ends at `until`, or with `saveToken`. False if another
 * process has fetched one since.
 */
export async function claimFetch(
  sql: Sql,
  { projectId, id }: ChannelKey,
  seen: Buffer | null,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const count = await sql`
    insert into channel_tokens as known (project_id, channel_id, fetching_until)
    values (${projectId}, ${id}, ${until})
    on conflict (project_id, channel_id) do update set fetching_until = excluded.fetching_until
    where known.sealed_token is not distinct from ${seen}::bytea
      and (known.fetching_until is null or known.fetching_until <= ${now})`.count();
  return count > 0;
}

export async function saveToken(sql: Sql, { projectId, id }: ChannelKey, token: TokenRow): Promise<void> {
  await sql`
    update channel_tokens set sealed_token = ${token.sealed_token}, renew_at = ${token.renew_at},
      ends_at = ${token.ends_at}, fetching_until = null
    where project_id = ${projectId} and channel_id = ${id}`;
}

/** Releases the claim, so that another process may try at once. */
export async function giveUpFetch(sql: Sql, { projectId, id }: ChannelKey): Promise<void> {
  await sql`
    update channel_tokens set fetching_until = null where project_id = ${projectId} and channel_id = ${id}`;
}

export async function forgetToken(sql: Sql, { projectId, id }: ChannelKey): Promise<void> {
  await sql`delete from channel_tokens where project_id = ${projectId} and channel_id = ${id}`;
}
