import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { copyDirectory } from '../../src/platform/database/data-directory.ts';
import { embeddedFolder } from '../embedded-folder.ts';
import type { Lifetime, Partner } from '../harness.ts';
import { answerWith } from '../stand-ins/messenger.ts';
import { type Home, homeInFolder } from './home.ts';
import { type Program, startProgram } from './program.ts';
import { until } from './until.ts';

const megabyte = 2 ** 20;
const wholeMegabytes = 400;

type SmallDisk = { path: string; leave(megabytes: number): void; widen(): void };

/** Whether this process may mount a file system. Root on Linux may. */
export function canMount(): boolean {
  try {
    mountDisk({ after: (unmount) => void unmount() });
    return true;
  } catch {
    return false;
  }
}

function mountDisk(lifetime: Lifetime): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'patchbay-disk-'));
  const mount = (options: string) =>
    execFileSync('mount', ['-o', options, '-t', 'tmpfs', 'tmpfs', path], { stdio: 'pipe' });
  const resize = (bytes: number) => mount(`remount,size=${Math.ceil(bytes)}`);
  mount(`size=${wholeMegabytes}m`);
  lifetime.after(async () => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  });
  return {
    path,
    leave(megabytes) {
      const { blocks, bfree, bsize } = statfsSync(path);
      resize((blocks - bfree) * bsize + megabytes * megabyte);
    },
    widen: () => resize(wholeMegabytes * megabyte),
  };
}

export type FullDisk = { leftMegabytes: number; reservedMegabytes: number };

/** How long the disk stays full. */
const fullMs = 2_000;

/**
 * Fills the disk of a program with accepted messages, and makes room again. Checks that the program reported it and
 * recovered by itself. Checks that it ends on a signal, and has everything that it acknowledged.
 */
export async function fillDisk(lifetime: Lifetime, { leftMegabytes, reservedMegabytes }: FullDisk) {
  const disk = mountDisk(lifetime);
  await copyDirectory(await embeddedFolder(), disk.path);
  const home = homeInFolder(disk.path, { PATCHBAY_DISK_RESERVE_MB: `${reservedMegabytes}` });
  const program = await startProgram(lifetime, home.environment);
  const partner = await home.addPartner(lifetime, program.call);
  partner.messenger.behave(answerWith(200));
  const { chat } = await partner.client('ann');
  disk.leave(leftMegabytes);

  const load = pushes(program, partner, chat);
  await until(() => load.refused() > 0);
  let slowestReadyMs = 0;
  for (const fullUntil = performance.now() + fullMs; performance.now() < fullUntil; await pause(200)) {
    const begun = performance.now();
    await program.call('GET', '/readyz');
    slowestReadyMs = Math.max(slowestReadyMs, performance.now() - begun);
  }
  disk.widen();
  const widened = performance.now();
  const acceptedBefore = load.accepted.length;
  await until(() => load.accepted.length > acceptedBefore);
  const recoveryMs = performance.now() - widened;
  await load.stop();

  const told = performance.now();
  assert.equal(await program.end('SIGTERM'), 0, program.complaints.join('\n'));
  const stopMs = performance.now() - told;
  const lost = await lostOf(home, load.accepted);
  return {
    accepted: load.accepted.length,
    refused: load.refused(),
    lost,
    slowestReadyMs,
    recoveryMs,
    stopMs,
  };
}

const callers = 32;
const text = 'x'.repeat(4_000);

/** Pushes until it is stopped. Each push is accepted, or refused with 503 and a reason. */
function pushes({ address }: Program, { key }: Partner, chat: string) {
  const accepted: string[] = [];
  let refused = 0;
  let stopped = false;
  const caller = async (): Promise<void> => {
    while (!stopped) {
      const answer = await fetch(`${address}/api/partners/push-messages/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...key },
        body: JSON.stringify({ chat: { uuid: chat }, content: { type: 'TEXT', text } }),
      });
      const body: { uuid: string; detail?: string } = JSON.parse(await answer.text());
      if (answer.status === 201) accepted.push(body.uuid);
      else {
        assert.equal(answer.status, 503, JSON.stringify(body));
        assert.ok(body.detail);
        refused += 1;
        await pause(20);
      }
    }
  };
  const work = Promise.all(Array.from({ length: callers }, caller));
  return {
    accepted,
    refused: () => refused,
    async stop() {
      stopped = true;
      await work;
    },
  };
}

async function lostOf(home: Home, accepted: string[]): Promise<number> {
  const rows = await home.look(
    (sql) => sql<{ id: string }[]>`select id from messages where direction = 'out'`,
  );
  const kept = new Set(rows.map(({ id }) => id));
  return accepted.filter((id) => !kept.has(id)).length;
}
