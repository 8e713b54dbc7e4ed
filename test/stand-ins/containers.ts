import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasEnded } from '../postgres.ts';

type Lifetime = { after(cleanUp: () => Promise<unknown>): void };

/** What an image says about its process. */
export type Settings = {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
};

/** Resolves with what it prints. */
export const run = async (program: string, words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, words, { maxBuffer: 2 ** 26 })).stdout.trim();

export type Given = {
  /** Folders of this machine, by their place in the container. */
  volumes: Record<string, string>;
  environment: Record<string, string>;
};

/** Starts containers as compose.yaml does: a read-only root, and no rights. They share the network of this machine. */
export function startIn(lifetime: Lifetime, folder: string) {
  const states = ['--root', join(folder, 'containers')];
  return (name: string, root: string, settings: Settings, given: Given) => {
    const bundle = join(folder, name);
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(specification(root, settings, given)));
    const child = spawn('runc', [...states, 'run', '--bundle', bundle, name]);
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => lines.push(String(text)));
    const ended = once(child, 'close');
    const tell = (signal: 'TERM' | 'KILL') => run('runc', [...states, 'kill', name, signal]);
    lifetime.after(async () => {
      if (!hasEnded(child)) await tell('KILL');
      await ended;
    });
    return { printed: () => lines.join(''), ended, hasEnded: () => hasEnded(child), tell };
  };
}

function specification(root: string, settings: Settings, { volumes, environment }: Given): object {
  const { uid, gid } = idsIn(root, settings.User);
  const ours = Object.entries(volumes).map(([destination, source]) => ({
    destination,
    type: 'bind',
    source,
    options: ['bind', 'rw', 'nosuid', 'nodev'],
  }));
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: [...(settings.Entrypoint ?? []), ...(settings.Cmd ?? [])],
      env: [...settings.Env, ...Object.entries(environment).map((pair) => pair.join('='))],
      cwd: settings.WorkingDir || '/',
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: root, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      ...ours,
    ],
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  };
}

/** The numbers of a user of the image. */
function idsIn(root: string, user: string): { uid: number; gid: number } {
  const users = readFileSync(join(root, 'etc/passwd'), 'utf8');
  const [, uid, gid] = new RegExp(`^${user}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? [];
  if (uid === undefined) throw new Error(`the image has no user ${user}`);
  return { uid: Number(uid), gid: Number(gid) };
}
