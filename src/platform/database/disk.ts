import { statfsSync } from 'node:fs';

const lookEveryMs = 100;

/**
 * Returns a function that says whether less than `reservedBytes` are left beside `path`. It looks at intervals and
 * passes the finding to `onChange`.
 */
export function watchDisk(
  path: string,
  reservedBytes: number,
  onChange: (leftBytes: number) => void,
): () => boolean {
  let isLow = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - lookedAt < lookEveryMs) return isLow;
    lookedAt = now;
    const left = leftBytes(path);
    if (left < reservedBytes !== isLow) {
      isLow = !isLow;
      onChange(left);
    }
    return isLow;
  };
}

/** What an ordinary user may still write beside this path. */
export function leftBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
