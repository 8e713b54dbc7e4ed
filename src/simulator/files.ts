import { randomBytes } from 'node:crypto';

/** A file of a message: its bytes, or an address from which they are fetched once they are wanted. */
export type KeptFile = { name: string; type: string | null } & ({ bytes: Buffer } | { url: string });

export type Files = {
  keep(file: KeptFile): string;
  find(id: string): KeptFile | undefined;
};

const mostBytes = 128 * 1024 * 1024;
const mostFiles = 2_000;

/** The files of all phones. The oldest are forgotten. */
export function createFiles(): Files {
  const files = new Map<string, KeptFile>();
  let total = 0;

  function forgetOldest(): void {
    for (const [id, file] of files) {
      if (files.size <= mostFiles && total <= mostBytes) return;
      files.delete(id);
      total -= sizeOf(file);
    }
  }

  return {
    keep(file) {
      const id = randomBytes(12).toString('hex');
      files.set(id, file);
      total += sizeOf(file);
      forgetOldest();
      return id;
    },
    find: (id) => files.get(id),
  };
}

const sizeOf = (file: KeptFile): number => ('bytes' in file ? file.bytes.length : 0);

const fetchTimeoutMs = 15_000;
const mostFetched = 20 * 1024 * 1024;

/** Fetches a file as a provider does. Null if there is none. */
export async function bytesOf(file: KeptFile): Promise<{ bytes: Buffer; type: string } | null> {
  if ('bytes' in file) return { bytes: file.bytes, type: file.type ?? 'application/octet-stream' };
  if (!/^https?:/.test(file.url)) return null;
  const answer = await fetch(file.url, { signal: AbortSignal.timeout(fetchTimeoutMs) }).catch(() => null);
  if (!answer?.ok || Number(answer.headers.get('content-length') ?? 0) > mostFetched) return null;
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { bytes, type: answer.headers.get('content-type') ?? 'application/octet-stream' };
}
