import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { fileNameOf } from '../../contract/attachment.ts';

const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** The bytes read to count a file whose server does not send its size. */
const MAX_COUNTED_BYTES = 20 * 1024 * 1024;
const MAX_NAME_LENGTH = 256;

/** Viber does not accept the file. The text is for people. */
export class UnfitFile extends Error {}

/** Viber fetches a file itself, and requires its size and name. */
export async function documentAt(media: string, http: Outbound, signal: AbortSignal): Promise<object> {
  const file_name = fileNameOf(media);
  if (file_name.length > MAX_NAME_LENGTH)
    throw new UnfitFile('The name of the file has more than 256 characters.');
  const size = await sizeOf(media, http, signal);
  if (size > MAX_FILE_BYTES) throw new UnfitFile('The file is larger than 50 MiB.');
  return { media, size, file_name };
}

async function sizeOf(url: string, http: Outbound, signal: AbortSignal): Promise<number> {
  const told = await fetchStart(url, 0, http, signal);
  const length = told.headers['content-length'];
  if (length !== undefined && /^\d{1,15}$/.test(length)) return Number(length);
  const { body, truncated } = await fetchStart(url, MAX_COUNTED_BYTES, http, signal);
  if (truncated) throw new UnfitFile('The server of the file does not tell its size.');
  return body.length;
}

async function fetchStart(url: string, maxResponseBytes: number, http: Outbound, signal: AbortSignal) {
  const answer = await http.request({ url, method: 'GET', maxResponseBytes, signal });
  if (answer.status !== 200) throw new UnfitFile(`The address of the file answered ${answer.status}.`);
  return answer;
}
