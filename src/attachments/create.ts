import type { Context } from '../context.ts';
import { invalid } from '../lib/problem.ts';
import { attachmentAddress } from './address.ts';
import { filesOf } from './files.ts';
import { mediaTypeOf } from './media-type.ts';
import { safeName } from './name.ts';
import { type Attachment, attachmentLimit } from './schema.ts';
import { insertAttachment } from './store.ts';

export type Upload = {
  projectId: string;
  /** As its owner calls it. */
  name: string;
  bytes: Buffer;
  /** The client who alone may send it, and has a day to do so (`takeAttachment`). Without one it is kept. */
  by?: string;
};

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config'>;

/** Stores a file, and then says that it is there: a crash in between leaves nothing that could be seen. Throws `Invalid` on `file`. */
export async function createAttachment(
  { sql, clock, newId, config }: Tools,
  { projectId, name: given, bytes, by }: Upload,
): Promise<Attachment> {
  if (bytes.length === 0) throw invalid('file', 'The submitted file is empty.');
  if (bytes.length > attachmentLimit) throw invalid('file', 'The submitted file is too large.');
  const type = await mediaTypeOf(bytes);
  if (type === null) throw invalid('file', 'Files of this type are not accepted.');

  const key = { projectId, id: newId() };
  const name = safeName(given, type);
  const size = bytes.length;
  await filesOf(config).write(fileName(key), bytes, type);
  await insertAttachment(sql, {
    ...key,
    name,
    mediaType: type,
    size,
    uploadedBy: by ?? null,
    createdAt: clock.now(),
  });
  return { uuid: key.id, url: attachmentAddress(config, key, name), name, type, size };
}

export const fileName = ({ projectId, id }: { projectId: string; id: string }): string =>
  `${projectId}/${id}`;
