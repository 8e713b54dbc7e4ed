import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Start } from './program.ts';

/** Processes that share so much memory. The kernel kills one that needs more. */
export type MemoryGroup = { start: Start; remove(): void };

const root = '/sys/fs/cgroup/memory';

/** A control group of the first version, inside our own. Root on Linux may make one. Null where it cannot be made. */
export function makeMemoryGroup(megabytes: number): MemoryGroup | null {
  try {
    const [, own = ''] = /:memory:(.*)/.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
    const path = join(root, own, `patchbay-${process.pid}`);
    mkdirSync(path);
    writeFileSync(join(path, 'memory.limit_in_bytes'), `${megabytes * 2 ** 20}`);
    return {
      start: { within: ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', path] },
      remove: () => rmdirSync(path),
    };
  } catch {
    return null;
  }
}
