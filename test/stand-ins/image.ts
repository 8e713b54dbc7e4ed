import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../ha/packages.ts';
import { type Given, run, type Settings, startIn } from './containers.ts';
import { registrySettings } from './registry.ts';

const recipe = join(import.meta.dirname, '..', '..', 'deploy', 'container', 'Containerfile');
const tools = ['/usr/bin/buildah', '/usr/sbin/debootstrap', '/usr/sbin/runc'];
const debian = 'bookworm';

export const noImages =
  tools.every((tool) => existsSync(tool)) && process.getuid?.() === 0
    ? false
    : 'buildah, debootstrap and runc need to be installed, and run as root only';

/** What npm says without its registry. */
const unreachable = /npm (error|ERR!).*(E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|40[13])|CERT)/;

/** This machine has the tools, but something else that images need is missing. */
export class NoImages extends Error {}

type Lifetime = { after(cleanUp: () => Promise<unknown>): void };

/** The Containerfile, built with the package in a folder. No registry of images is needed: the base is a stand-in. */
export async function buildImage(lifetime: Lifetime, context: string) {
  // Too large for a temporary folder in memory.
  const folder = mkdtempSync('/var/tmp/patchbay-image-');
  const store = ['--root', join(folder, 'images'), '--runroot', join(folder, 'state')];
  const buildah = (...words: string[]) => run('buildah', [...store, '--storage-driver', 'vfs', ...words]);
  lifetime.after(async () => {
    await buildah('rm', '--all');
    rmSync(folder, { recursive: true, force: true });
  });
  const base = join(folder, 'base');
  await makeBase(base);
  const start = startIn(lifetime, folder);
  // The kernel may forbid containers. That is known before the long work.
  const trial = start('trial', base, { ...plain, Cmd: ['true'] }, { volumes: {}, environment: {} });
  const [code] = await trial.ended;
  if (code !== 0) throw new NoImages(`runc starts no container here: ${trial.printed()}`);

  const [name = ''] = /(?<=^FROM )\S+/m.exec(readFileSync(recipe, 'utf8')) ?? [];
  const working = await buildah('from', 'scratch');
  await buildah('add', '--quiet', working, base, '/');
  await buildah('commit', '--quiet', working, name);
  const words = ['--isolation', 'chroot', '--pull=never', '--format', 'docker', '--tag', 'patchbay'];
  const built = buildah('build', ...words, ...(await npmSettings(folder)), '--file', recipe, context);
  await built.catch((error: Error) => {
    throw unreachable.test(error.message) ? new NoImages(error.message) : error;
  });

  const described = JSON.parse(await buildah('inspect', '--type', 'image', 'patchbay'));
  const [{ size }] = JSON.parse(await buildah('images', '--json', 'patchbay'));
  const root = await buildah('mount', await buildah('from', '--pull=never', 'patchbay'));
  const settings: Settings = described.Docker.config;
  return {
    size: String(size),
    /** What an engine puts into a new volume. */
    copyVolume: (path: string, to: string) => run('cp', ['-a', join(root, path), to]),
    check: (described.Docker.config.Healthcheck?.Test ?? []) as string[],
    start: (container: string, given: Given) => start(container, root, settings, given),
    /** Runs another command in a running container. */
    within: (container: string, command: readonly string[]) =>
      run('runc', ['--root', join(folder, 'containers'), 'exec', container, ...command]),
  };
}

const plain: Settings = {
  User: 'node',
  Env: ['PATH=/usr/local/bin:/usr/bin:/bin'],
  Entrypoint: [],
  Cmd: [],
  WorkingDir: '/',
};

/** Debian, with the Node of these tests, the npm of this machine, and the user of the real image. */
async function makeBase(base: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', debian, base]).catch(({ message }) => {
    throw new NoImages(message);
  });
  const local = join(base, 'usr/local');
  copyFileSync(process.execPath, join(local, 'bin/node'));
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  const command = realpathSync(findProgram('npm') ?? '');
  cpSync(dirname(dirname(command)), join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  await run('chroot', [base, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
}

/** npm in the build asks the registry of this machine. Mounted files are no part of the image. */
async function npmSettings(folder: string): Promise<string[]> {
  const file = join(folder, 'npmrc');
  const mounts = [`${file}:/root/.npmrc:ro`];
  const { lines, certificates } = await registrySettings();
  if (certificates) mounts.push(`${certificates}:${certificates}:ro`);
  writeFileSync(file, lines.join('\n'));
  return mounts.flatMap((mount) => ['--volume', mount]);
}
