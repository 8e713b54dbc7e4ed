import type { Context } from '../../platform/context.ts';
import { attachmentAddress } from './address.ts';
import type { Attachment } from './schema.ts';
import { markUsed } from './store.ts';

/** The file that this client uploaded. It is kept from now on. Null for other clients' files. */
export async function takeAttachment(
  { sql, clock, config }: Pick<Context, 'sql' | 'clock' | 'config'>,
  { projectId, uuid, by }: { projectId: string; uuid: string; by: string },
): Promise<Attachment | null> {
  const key = { projectId, id: uuid };
  const row = await markUsed(sql, key, by, clock.now());
  if (!row) return null;
  const { name, media_type: type, size } = row;
  return { uuid, url: attachmentAddress(config, key, name), name, type, size };
}
