import type { Context } from '../../platform/context.ts';
import { attachmentAddress } from './address.ts';
import { findUnnamed, nameFiles } from './client-files-store.ts';

const atOnce = 500;

/** Writes our addresses into stored messages that still have a provider's file reference. */
export async function nameStoredFiles({ sql, config }: Pick<Context, 'sql' | 'config'>): Promise<void> {
  for (let found = atOnce; found === atOnce; ) {
    const files = await findUnnamed(sql, atOnce);
    found = files.length;
    if (found === 0) return;
    await nameFiles(
      sql,
      files.map(({ project_id, id, message_id, name }) => ({
        project_id,
        id,
        message_id,
        url: attachmentAddress(config, { projectId: project_id, id }, name),
      })),
    );
  }
}
