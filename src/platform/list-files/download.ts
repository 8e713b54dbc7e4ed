import { type Outbound, OutboundFailed, OutboundRefused } from '../outbound/outbound.ts';
import { BadFile, FileUnavailable } from './bad-file.ts';

const maxFetchedBytes = 20 * 1024 * 1024;
const timeoutMs = 60_000;

/**
 * Fetches a user's file through the guard, without following redirects. The file is small enough for memory, so
 * nothing is ever left on a disk. Throws `BadFile` for a permanent failure, `FileUnavailable` for a temporary one.
 * Source: docs/contract.md, section 5.
 */
export async function download(
  outbound: Pick<Outbound, 'request'>,
  url: string,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { status, body, truncated } = await ask(outbound, url, signal);
  if (status === 429 || status >= 500) throw new FileUnavailable(`The file's server answered ${status}.`);
  if (status >= 300 && status < 400) {
    throw new BadFile(`The file's address leads elsewhere (${status}): give the address of the file itself.`);
  }
  if (status !== 200) throw new BadFile(`The file's server answered ${status}.`);
  if (truncated) throw new BadFile('The file is larger than 20 MiB.');
  return body;
}

async function ask(outbound: Pick<Outbound, 'request'>, url: string, signal?: AbortSignal) {
  try {
    const limits = { timeoutMs, maxResponseBytes: maxFetchedBytes, signal };
    return await outbound.request({ url, method: 'GET', ...limits });
  } catch (error) {
    if (error instanceof OutboundRefused) throw new BadFile(`The file cannot be fetched. ${error.message}`);
    if (error instanceof OutboundFailed) {
      throw new FileUnavailable(`The file cannot be fetched. ${error.message}`, { cause: error });
    }
    throw error;
  }
}
