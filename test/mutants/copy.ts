import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutation } from './mutation.ts';

/** A copy of the tree, where faults do no harm. */
export type Copy = {
  tree: string;
  /** What test processes need besides: a place for their files, and for the compiled program. */
  environment: Record<string, string>;
  /** Does the work with the mutation in place. */
  withMutation<Result>(mutation: Mutation, work: () => Promise<Result>): Promise<Result>;
  /** Removes what a killed test has left. */
  tidy(): Promise<void>;
  remove(): Promise<void>;
};

const notCopied = ['.git', 'node_modules'];

export async function copyTree(root: string): Promise<Copy> {
  const home = await mkdtemp(join(tmpdir(), 'patchbay-mutants-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  // The user of a private PostgreSQL has to get to its own folder.
  await chmod(home, 0o755);
  const tree = join(home, 'tree');
  const temporary = join(home, 'temporary');
  await mkdir(tree);
  await mkdir(temporary);
  for (const name of await readdir(root)) {
    if (!notCopied.includes(name)) await cp(join(root, name), join(tree, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));

  return {
    tree,
    environment: { TMPDIR: temporary, NODE_COMPILE_CACHE: join(home, 'compiled') },
    async withMutation({ file, find, replace }, work) {
      const path = join(tree, file);
      const original = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        original.replace(find, () => replace),
      );
      try {
        return await work();
      } finally {
        writeFileSync(path, original);
      }
    },
    async tidy() {
      for (const name of await readdir(temporary)) {
        await rm(join(temporary, name), { recursive: true, force: true, maxRetries: 5 });
      }
    },
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}
