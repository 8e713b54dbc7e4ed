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
    const { bavail, bsize } = statfsSync(path);
    const leftBytes = bavail * bsize;
    if (leftBytes < reservedBytes !== isLow) {
      isLow = !isLow;
      onChange(leftBytes);
    }
    return isLow;
  };
}
