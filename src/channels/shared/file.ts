import { type Outbound, OutboundRefused } from '../../platform/outbound/outbound.ts';
import { fileNameOf } from '../contract/attachment.ts';

/** For messengers that accept files as uploads only. */

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** The file cannot be sent. The text is for people. */
export class UnfitFile extends Error {}

export type FetchedFile = { name: string; bytes: Buffer; mediaType: string };

/** Throws `UnfitFile`, and `OutboundFailed` if a retry may fetch the file. */
export async function fetchFile(http: Outbound, url: string, signal: AbortSignal): Promise<FetchedFile> {
  const limits = { maxResponseBytes: MAX_FILE_BYTES, signal };
  const { status, body, truncated, headers } = await http
    .request({ url, method: 'GET', ...limits })
    .catch(refused);
  if (status !== 200) throw new UnfitFile(`The address of the file answered ${status}.`);
  if (truncated) throw new UnfitFile('The file is larger than 20 MiB.');
  return {
    name: fileNameOf(url),
    bytes: body,
    mediaType: headers['content-type'] ?? 'application/octet-stream',
  };
}

/** The address of one message's file says nothing of the channel. */
function refused(error: unknown): never {
  throw error instanceof OutboundRefused ? new UnfitFile(error.message) : error;
}

/** A form whose only field is the file. */
export async function formOf(field: string, { name, bytes, mediaType }: FetchedFile) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)], { type: mediaType }), name);
  const encoded = new Response(form);
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}
