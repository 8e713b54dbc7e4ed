import type { Sql } from '../database/database.ts';

export type Claim = {
  projectId: string;
  keyHash: Buffer;
  requestHash: Buffer;
  /** The id of the thing to be made. */
  objectId: string;
};

export type ClaimTimes = { now: Date; claimedUntil: Date; forgottenBefore: Date };

/**
 * Claims a key that is new, forgotten, or left without an answer by a lapsed attempt at the same request. Returns the
 * id for the new thing, which is the lapsed attempt's id if there was one. Returns undefined when the key cannot be
 * claimed.
 */
export async function claimKey(sql: Sql, claim: Claim, times: ClaimTimes): Promise<string | undefined> {
  const [row] = await sql<{ object_id: string }[]>`
    insert into idempotency_keys as kept (project_id, key_hash, request_hash, object_id, claimed_until, created_at)
    values (${claim.projectId}, ${claim.keyHash}, ${claim.requestHash}, ${claim.objectId}, ${times.claimedUntil}, ${times.now})
    on conflict (project_id, key_hash) do update set
      request_hash = excluded.request_hash,
      claimed_until = excluded.claimed_until,
      answer = null,
      object_id = case when kept.created_at < ${times.forgottenBefore} then excluded.object_id else kept.object_id end,
      created_at = case when kept.created_at < ${times.forgottenBefore} then excluded.created_at else kept.created_at end
    where kept.created_at < ${times.forgottenBefore}
      or (kept.answer is null and kept.claimed_until <= ${times.now} and kept.request_hash = excluded.request_hash)
    returning object_id`;
  return row?.object_id;
}

export type KeptKey = { requestHash: Buffer; answer: Buffer | null };

export async function findKey(sql: Sql, claim: Claim): Promise<KeptKey | undefined> {
  const [row] = await sql<{ request_hash: Buffer; answer: Buffer | null }[]>`
    select request_hash, answer from idempotency_keys
    where project_id = ${claim.projectId} and key_hash = ${claim.keyHash}`;
  return row && { requestHash: row.request_hash, answer: row.answer };
}

export async function keepAnswer(sql: Sql, claim: Claim, answer: Buffer): Promise<void> {
  await sql`
    update idempotency_keys set answer = ${answer}
    where project_id = ${claim.projectId} and key_hash = ${claim.keyHash} and object_id = ${claim.objectId} and answer is null`;
}

/** Forgets the key: its request was refused. */
export async function releaseKey(sql: Sql, claim: Claim): Promise<void> {
  await sql`
    delete from idempotency_keys
    where project_id = ${claim.projectId} and key_hash = ${claim.keyHash} and object_id = ${claim.objectId} and answer is null`;
}

/** Lets the next attempt take over the key at once, with the same id. */
export async function lapseClaim(sql: Sql, claim: Claim): Promise<void> {
  await sql`
    update idempotency_keys set claimed_until = created_at
    where project_id = ${claim.projectId} and key_hash = ${claim.keyHash} and object_id = ${claim.objectId} and answer is null`;
}

/** Periodic tidying: deletes keys that no attempt may use again. */
export async function forgetKeys(sql: Sql, before: Date): Promise<number> {
  return await sql`delete from idempotency_keys where created_at < ${before}`.count();
}
