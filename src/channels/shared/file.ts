import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import {
  type Outbound,
  type OutboundAnswer,
  OutboundFailed,
  OutboundRefused,
} from '../../platform/outbound/outbound.ts';
import { Unsent } from '../contract/failure.ts';

/** For messengers that take the bytes of a file, not its address. */

export type MessageFile = { name: string; type: string; bytes: Buffer };

/** `mostMiB` is the size that the messenger takes. */
type Fetching = { mostMiB: number; signal: AbortSignal };

const MIB = 1024 * 1024;

/** Throws `Unsent`. */
export async function fetchFile(
  http: Outbound,
  url: string,
  { mostMiB, signal }: Fetching,
): Promise<MessageFile> {
  const { headers, body, truncated } = await askForFile(http, url, {
    maxResponseBytes: mostMiB * MIB,
    signal,
  });
  if (truncated) throw unfit(`The file is larger than ${mostMiB} MiB.`);
  const type = headers['content-type']?.split(';')[0] ?? '';
  return {
    name: fileNameOf(url),
    type: /^\w+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    bytes: body,
  };
}

/** The server's answer with the file. Throws `Unsent`. */
export async function askForFile(
  http: Outbound,
  url: string,
  limits: { maxResponseBytes: number; signal: AbortSignal },
): Promise<OutboundAnswer> {
  const answer = await http.request({ url, method: 'GET', ...limits }).catch(notReached);
  const { status } = answer;
  if (status === 200) return answer;
  const detail = `The address of the file answered ${status}.`;
  throw status >= 500 || status === 429 ? passing(detail) : unfit(detail);
}

/** The address of one message's file says nothing of the channel. */
function notReached(error: unknown): never {
  if (error instanceof OutboundRefused) throw unfit(error.message);
  throw error instanceof OutboundFailed ? passing(`The file: ${error.message}`) : error;
}

/** The messenger does not take this file. */
export const unfit = (detail: string): Unsent => new Unsent({ code: 'bad_content', detail });

const passing = (detail: string): Unsent => new Unsent({ code: 'temporary', mayHaveBeenSent: false, detail });

/** The last part of an address, by which a client knows the file. */
export function fileNameOf(url: string): string {
  const name = basename(URL.parse(url)?.pathname ?? '');
  try {
    return decodeURIComponent(name) || 'file';
  } catch {
    return name;
  }
}

/**
 * A form with one file, after these texts. It copies the bytes once, and leaves each text as it is. Node's own `FormData`
 * does neither.
 */
export function formOf(
  field: string,
  { name, bytes, type }: MessageFile,
  texts: Record<string, string> = {},
): { headers: { 'content-type': string }; body: Buffer } {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const part = `--${boundary}\r\nContent-Disposition: form-data;`;
  const before = Object.entries(texts).map(([key, text]) => `${part} name="${key}"\r\n\r\n${text}\r\n`);
  const shown = name.replace(/["\r\n]/g, encodeURIComponent);
  const head = `${part} name="${field}"; filename="${shown}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(before.join('') + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
