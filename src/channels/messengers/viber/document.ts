import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { askForFile, fileNameOf, unfit } from '../../shared/file.ts';

const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** The bytes read to count a file whose server does not send its size. */
const MAX_COUNTED_BYTES = 20 * 1024 * 1024;
const MAX_NAME_LENGTH = 256;

type Document = { media: string; size: number; file_name: string };

/** Viber fetches a file itself, and wants its size and its name from us. Throws `Unsent`. */
export async function documentAt(media: string, http: Outbound, signal: AbortSignal): Promise<Document> {
  const file_name = fileNameOf(media);
  if (file_name.length > MAX_NAME_LENGTH) throw unfit('The name of the file has more than 256 characters.');
  const size = await sizeOf(media, http, signal);
  if (size > MAX_FILE_BYTES) throw unfit('The file is larger than 50 MiB.');
  return { media, size, file_name };
}

async function sizeOf(url: string, http: Outbound, signal: AbortSignal): Promise<number> {
  const { headers } = await askForFile(http, url, { maxResponseBytes: 0, signal });
  const length = headers['content-length'];
  if (length !== undefined && /^\d{1,15}$/.test(length)) return Number(length);
  const { body, truncated } = await askForFile(http, url, { maxResponseBytes: MAX_COUNTED_BYTES, signal });
  if (truncated) throw unfit('The server of the file does not tell its size.');
  return body.length;
}
