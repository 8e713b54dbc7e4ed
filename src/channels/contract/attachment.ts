import { basename } from 'node:path';
import { type Outbound, OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import type { SendError } from './errors.ts';

export type Attachment = { name: string; type: string; bytes: Buffer };

const mostBytes = 25 * 1024 * 1024;

/** Fetches the file of a message, for providers that take bytes. On failure it returns the error: nothing was sent. */
export async function attachmentOf(
  url: string | null,
  http: Outbound,
  signal: AbortSignal,
): Promise<Attachment | SendError | null> {
  if (url === null) return null;
  try {
    const { status, headers, body, truncated } = await http.request({
      url,
      method: 'GET',
      maxResponseBytes: mostBytes,
      signal,
    });
    const detail = `The file at ${url} was answered with ${status}.`;
    if (status >= 500 || status === 429) return { code: 'temporary', mayHaveBeenSent: false, detail };
    if (status !== 200) return { code: 'bad_content', detail };
    if (truncated) return { code: 'bad_content', detail: `The file at ${url} has more than 25 MiB.` };
    const type = headers['content-type']?.split(';')[0] ?? '';
    return {
      name: fileNameOf(url),
      type: /^\w+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
      bytes: body,
    };
  } catch (error) {
    if (error instanceof OutboundRefused) return { code: 'bad_content', detail: error.message };
    if (error instanceof OutboundFailed) {
      return { code: 'temporary', mayHaveBeenSent: false, detail: `The file: ${error.message}` };
    }
    throw error;
  }
}

/** The last part of an address, by which a client knows the file. */
export function fileNameOf(url: string): string {
  const name = basename(URL.parse(url)?.pathname ?? '');
  try {
    return decodeURIComponent(name) || 'file';
  } catch {
    return name;
  }
}
