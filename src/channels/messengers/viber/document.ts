import { type Outbound, OutboundFailed, OutboundRefused } from '../../../platform/outbound/outbound.ts';
import { fileNameOf } from '../../contract/attachment.ts';
import type { SendError } from '../../contract/errors.ts';

const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** The bytes read to count a file whose server does not send its size. */
const MAX_COUNTED_BYTES = 20 * 1024 * 1024;
const MAX_NAME_LENGTH = 256;

type Document = { media: string; size: number; file_name: string };

/** Viber fetches a file itself, and wants its size and its name from us. On failure it returns the error: nothing was sent. */
export async function documentAt(
  media: string,
  http: Outbound,
  signal: AbortSignal,
): Promise<Document | SendError> {
  const file_name = fileNameOf(media);
  if (file_name.length > MAX_NAME_LENGTH) return unfit('The name of the file has more than 256 characters.');
  try {
    const size = await sizeOf(media, http, signal);
    if (typeof size !== 'number') return size;
    return size > MAX_FILE_BYTES ? unfit('The file is larger than 50 MiB.') : { media, size, file_name };
  } catch (error) {
    if (error instanceof OutboundRefused) return unfit(error.message);
    if (error instanceof OutboundFailed) return passing(`The file: ${error.message}`);
    throw error;
  }
}

const unfit = (detail: string): SendError => ({ code: 'bad_content', detail });

const passing = (detail: string): SendError => ({ code: 'temporary', mayHaveBeenSent: false, detail });

async function sizeOf(url: string, http: Outbound, signal: AbortSignal): Promise<number | SendError> {
  const read = (maxResponseBytes: number) => http.request({ url, method: 'GET', maxResponseBytes, signal });
  const { status, headers } = await read(0);
  const detail = `The address of the file answered ${status}.`;
  if (status >= 500 || status === 429) return passing(detail);
  if (status !== 200) return unfit(detail);
  const length = headers['content-length'];
  if (length !== undefined && /^\d{1,15}$/.test(length)) return Number(length);
  const { body, truncated } = await read(MAX_COUNTED_BYTES);
  return truncated ? unfit('The server of the file does not tell its size.') : body.length;
}
