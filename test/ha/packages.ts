import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's packages, and one program of each. */
const packages = {
  patroni: 'patroni',
  'etcd-server': 'etcd',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
};

/** The location of a program: on the PATH, or in Debian's folders for administrators' programs. */
export function findProgram(name: string): string | undefined {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return places.map((place) => join(place, name)).find((path) => existsSync(path));
}

/** @throws a sentence with the missing packages that cannot be installed. */
export function installPackages(): void {
  const missing = Object.entries(packages)
    .filter(([, program]) => !findProgram(program))
    .map(([name]) => name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !findProgram('apt-get')) {
    throw new Error(
      `these Debian packages are missing, and only root can install them: ${missing.join(' ')}`,
    );
  }
  // The packages' own services stay stopped: these tests start what they need.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  const install = ['install', '-y', '-qq', '--no-install-recommends'];
  execFileSync('apt-get', [...install, ...missing], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
