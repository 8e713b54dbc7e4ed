import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { greets } from '../greets.ts';
import { idsOf } from '../user-ids.ts';

const program = '/usr/sbin/dovecot';

export const noDovecot = existsSync(program) ? false : 'no Dovecot was found on this machine';

/** Debian's IMAP server with one mailbox, whose owner has any name and the password `secret`. */
export async function startDovecot(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-dovecot-'));
  const owner = ownerOfMail();
  const port = await freePort();
  const mail = join(folder, 'mail');
  for (const part of ['', 'new', 'cur', 'tmp']) mkdirSync(join(mail, part));
  const configuration = join(folder, 'dovecot.conf');
  writeFileSync(configuration, configurationOf({ folder, mail, port, ...owner }));
  for (const path of [folder, mail, ...['new', 'cur', 'tmp'].map((part) => join(mail, part)), configuration])
    chownSync(path, owner.uid, owner.gid);
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const { uid, gid } = owner;
    server = spawn(program, ['-F', '-c', configuration], { uid, gid, stdio: 'inherit' });
    while (!(await greets(port))) {
      if (server.exitCode !== null) throw new Error('Dovecot does not start');
      await delay(20);
    }
  }
  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
  t.after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  await start();

  let delivered = 0;
  return {
    url: (password: string) => `imap://help:${password}@127.0.0.1:${port}`,
    start,
    stop,
    /** Puts a mail into the mailbox, as a mail server on the same machine does. */
    deliver(letter: string): void {
      delivered += 1;
      const name = `${delivered}.patchbay`;
      writeFileSync(join(mail, 'tmp', name), letter);
      chownSync(join(mail, 'tmp', name), owner.uid, owner.gid);
      renameSync(join(mail, 'tmp', name), join(mail, 'new', name));
    },
  };
}

/** Dovecot refuses mail that belongs to root. */
function ownerOfMail() {
  const group = execFileSync('id', ['-gn', 'nobody'], { encoding: 'utf8' }).trim();
  return { user: 'nobody', group, ...idsOf('nobody') };
}

type Server = {
  folder: string;
  mail: string;
  port: number;
  user: string;
  group: string;
  uid: number;
  gid: number;
};

const configurationOf = ({ folder, mail, port, user, group, uid, gid }: Server): string => `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/null
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = ${uid}
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:${mail}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
}
service anvil {
  chroot =
}
service imap-hibernate {
  chroot =
}
`;
