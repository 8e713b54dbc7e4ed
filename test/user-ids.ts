import { execFileSync } from 'node:child_process';

/** The numbers of a user of this machine and of their group. Throws for an unknown user. */
export function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: id('-u'), gid: id('-g') };
}
