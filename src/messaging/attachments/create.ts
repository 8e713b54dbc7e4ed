import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/problem.ts';
import { attachmentAddress } from './address.ts';
import { withDraft } from './draft.ts';
import { filesOf } from './files.ts';
import { mediaTypeOf } from './media-type.ts';
import { safeName } from './name.ts';
import { noRoom, roomOf, type Uploader } from './room.ts';
import type { Attachment } from './schema.ts';
import { insertAttachment } from './store.ts';

export type Upload = {
  projectId: string;
  /** The name that the owner gave it. */
  name: string;
  bytes: AsyncIterable<Buffer>;
  uploader: Uploader;
  /**
   * The only client who may send it, with most of an hour to do so (`takeAttachment`). Without a client it is kept.
   */
  by?: string;
  /** Whether it came with one message, and goes with it. An upload by a client does. */
  isOfMessage?: boolean;
  /** Whether unknown types are accepted too. Set for files that clients chose. */
  anyType?: boolean;
  /** Its id, if its address has been given out already. */
  id?: string;
};

const unknownType = 'application/octet-stream';

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config' | 'log'>;

/**
 * Stores a file while it arrives, and records it afterwards. A crash in between leaves nothing visible. Throws
 * `Invalid` on `file`, and `HttpProblem` when the project has no room.
 */
export async function createAttachment(
  tools: Tools,
  {
    projectId,
    name: given,
    bytes,
    uploader,
    by,
    isOfMessage = by !== undefined,
    anyType = false,
    id,
  }: Upload,
): Promise<Attachment> {
  const { sql, clock, newId, config, log } = tools;
  const files = filesOf(config);
  return withDraft(files.drafts, bytes, async ({ path, size }) => {
    if (size === 0) throw invalid('file', 'The submitted file is empty.');
    const type = (await mediaTypeOf(path)) ?? (anyType ? unknownType : null);
    if (type === null) throw invalid('file', 'Files of this type are not accepted.');

    const key = { projectId, id: id ?? newId() };
    const name = safeName(given, type);
    await files.take(fileName(key), path, type);
    const row = {
      ...key,
      name,
      mediaType: type,
      size,
      uploadedBy: by ?? null,
      isOfMessage,
      createdAt: clock.now(),
    };
    if (!(await insertAttachment(sql, row, roomOf(config, uploader)))) {
      await files.remove(fileName(key));
      log.warn({ projectId }, 'a project has no room for more files');
      throw noRoom();
    }
    return { uuid: key.id, url: attachmentAddress(config, key, name), name, type, size };
  });
}

export const fileName = ({ projectId, id }: { projectId: string; id: string }): string =>
  `${projectId}/${id}`;
