import { randomUUID } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { readName } from '../../platform/http/name.ts';
import { withRoom } from '../../platform/limits/room-store.ts';
import { NotFound } from '../../platform/problem.ts';
import { hashOfBotKey } from '../auth/credential.ts';
import { type BotKeyRow, insertBotKey, replaceBotKeyHash, setBotKeyName, setBotKeyRevoked } from './store.ts';

/** Names one key of a project by its row, not by its secret. */
export type BotKeyReference = { projectId: string; id: string };

/** A random UUID has 122 random bits, so a plain hash of it is safe to store. */
export function newBotKey(): { key: string; keyHash: Buffer } {
  const key = randomUUID();
  return { key, keyHash: hashOfBotKey(key) };
}

/** The key itself is shown this once. Throws `Invalid` on `name`. */
export async function createBotKey(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { projectId, name: given }: { projectId: string; name: string },
): Promise<{ id: string; key: string }> {
  const name = readName(given);
  const { key, keyHash } = newBotKey();
  const id = newId();
  await withRoom(sql, 'bot_keys', projectId, (transaction) =>
    insertBotKey(transaction, projectId, { id, name, keyHash }, clock.now()),
  );
  return { id, key };
}

/** Makes a new key under the same name. The old one is refused from now on. Throws `NotFound`. */
export async function rotateBotKey(
  { sql }: Pick<Context, 'sql'>,
  { projectId, id }: BotKeyReference,
): Promise<string> {
  const { key, keyHash } = newBotKey();
  if (!(await replaceBotKeyHash(sql, projectId, id, keyHash))) throw new NotFound();
  return key;
}

/** Throws `NotFound`, for a revoked key as well, and `Invalid` on `name`. */
export async function renameBotKey(
  { sql }: Pick<Context, 'sql'>,
  { projectId, id }: BotKeyReference,
  name: string,
): Promise<BotKeyRow> {
  const row = await setBotKeyName(sql, projectId, id, readName(name));
  if (!row) throw new NotFound();
  return row;
}

/** Throws `NotFound`, also for a revoked key. */
export async function revokeBotKey(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, id }: BotKeyReference,
): Promise<void> {
  if (!(await setBotKeyRevoked(sql, projectId, id, clock.now()))) throw new NotFound();
}
