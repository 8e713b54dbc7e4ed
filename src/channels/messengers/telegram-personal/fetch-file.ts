import { type HeardFile, Refused } from './account.ts';
import { isLoggedOut } from './refusals.ts';

export type Fetched = { kind: HeardFile['kind']; name: string | null; bytes: Buffer };

/** `message` names it among all accounts. The words say which file is missing, and why. */
export type FetchFile = (file: HeardFile, message: string, signal: AbortSignal) => Promise<Fetched | string>;

/** Telegram takes files of gigabytes, from strangers too. They are held in memory. */
const mostOfFile = 20 * 1024 * 1024;

const mostTries = 3;

/**
 * Fetches files of clients. After a failure it throws, so that the next connection gets the message again. The last
 * failure gives the file up: it would hold back all later messages.
 */
export function createFetchFile(): FetchFile {
  const failures = new Map<string, number>();

  return async ({ kind, name, size, bytes }, message, signal) => {
    if ((size ?? 0) > mostOfFile) return `${name ?? ''} (> 20 MB)`.trim();
    try {
      const fetched = { kind, name, bytes: await bytes() };
      failures.delete(message);
      return fetched;
    } catch (error) {
      if (signal.aborted || (error instanceof Refused && isLoggedOut(error))) throw error;
      const count = (failures.get(message) ?? 0) + 1;
      failures.set(message, count);
      if (count < mostTries) throw error;
      failures.delete(message);
      return `${name ?? kind} (not received)`;
    }
  };
}
