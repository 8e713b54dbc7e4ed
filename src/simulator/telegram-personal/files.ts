import { Long, type tl } from '@mtcute/node';
import { seconds } from '../clock.ts';
import { keepLatest } from '../outbox.ts';
import { RpcRefusal } from './rpc.ts';

/** The files of messages, which travel in parts. */
export type Files = {
  /** Throws `RpcRefusal` for a part that is too much. */
  save(part: tl.upload.RawSaveFilePartRequest | tl.upload.RawSaveBigFilePartRequest): true;
  /** The file of these parts. Throws `RpcRefusal` if one is missing. */
  take(file: tl.TypeInputFile): Buffer;
  /** Returns the id under which a client fetches the file. */
  keep(bytes: Buffer): Long;
  read(request: tl.upload.RawGetFileRequest): tl.upload.RawFile;
};

const mostUploads = 16;
const mostKept = 100;
const mostBytes = 64 * 1024 * 1024;

export function createFiles(nextId: () => number): Files {
  const uploads = new Map<string, Map<number, Uint8Array>>();
  const kept = new Map<string, Buffer>();

  return {
    save({ fileId, filePart, bytes }) {
      const id = fileId.toString();
      const parts = uploads.get(id) ?? new Map<number, Uint8Array>();
      const size = [...parts.values()].reduce((sum, part) => sum + part.length, bytes.length);
      if (size > mostBytes) throw new RpcRefusal(400, 'FILE_PARTS_INVALID');
      parts.set(filePart, bytes);
      keepLatest(uploads, id, parts, mostUploads);
      return true;
    },
    take(file) {
      const upload = file._ === 'inputFileStoryDocument' ? undefined : uploads.get(file.id.toString());
      if (!upload || file._ === 'inputFileStoryDocument') throw new RpcRefusal(400, 'INPUT_FILE_INVALID');
      const parts = Array.from({ length: upload.size }, (_, place) => upload.get(place));
      const whole = parts.filter((part) => part !== undefined);
      if (whole.length !== file.parts) throw new RpcRefusal(400, 'FILE_PARTS_INVALID');
      uploads.delete(file.id.toString());
      return Buffer.concat(whole);
    },
    keep(bytes) {
      const id = Long.fromNumber(nextId());
      keepLatest(kept, id.toString(), bytes, mostKept);
      return id;
    },
    read({ location, offset, limit }) {
      const bytes = 'id' in location ? kept.get(location.id.toString()) : undefined;
      if (!bytes) throw new RpcRefusal(400, 'LOCATION_INVALID');
      const part = bytes.subarray(offset, offset + limit);
      return { _: 'upload.file', type: { _: 'storage.fileUnknown' }, mtime: seconds(), bytes: part };
    },
  };
}
