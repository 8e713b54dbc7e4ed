import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { greets } from '../greets.ts';
import { idsOf } from '../user-ids.ts';

const program = '/usr/sbin/postfix';

export const noPostfix =
  existsSync(program) && process.getuid?.() === 0
    ? false
    : 'Postfix needs to be installed, and runs as root only';

/** Debian's mail server. It has mailboxes for `ann@client.example` and `help@shop.example`. What it accepts for another domain is returned. */
export async function startPostfix(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-postfix-'));
  const port = await freePort();
  // Its parts run as several users.
  chmodSync(folder, 0o755);
  const path = (name: string) => join(folder, name);
  for (const name of ['conf', 'queue', 'data', 'mail']) mkdirSync(path(name));
  const { uid, gid } = idsOf('nobody');
  const postfix = idsOf('postfix');
  chownSync(path('mail'), uid, gid);
  chownSync(path('data'), postfix.uid, postfix.gid);
  writeFileSync(path('conf/boxes'), 'ann@client.example ann/\nhelp@shop.example help/\n');
  writeFileSync(path('conf/main.cf'), mainOf(folder, uid, gid));
  writeFileSync(path('conf/master.cf'), masterOf(port));
  const server = spawn(program, ['-c', path('conf'), 'start-fg'], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  t.after(async () => {
    execFileSync(program, ['-c', path('conf'), 'abort'], { stdio: 'ignore' });
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  while (!(await greets(port))) {
    if (server.exitCode !== null) throw new Error('Postfix does not start');
    await delay(20);
  }

  const lettersOf = (box: string): Buffer[] => {
    const inbox = path(`mail/${box}/new`);
    return existsSync(inbox) ? readdirSync(inbox).map((name) => readFileSync(join(inbox, name))) : [];
  };
  return {
    port,
    /** Resolves with the first letter of a mailbox. */
    async letterOf(box: 'ann' | 'help'): Promise<Buffer> {
      for (;;) {
        const [letter] = lettersOf(box);
        if (letter) return letter;
        await delay(20);
      }
    },
  };
}

const mainOf = (folder: string, uid: number, gid: number): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = /dev/stdout
myhostname = mail.shop.example
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
alias_maps =
alias_database =
smtpd_relay_restrictions = permit_mynetworks, reject
default_transport = gone
recipient_delimiter = +
virtual_mailbox_domains = client.example, shop.example
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = texthash:${folder}/conf/boxes
virtual_minimum_uid = 1
virtual_uid_maps = static:${uid}
virtual_gid_maps = static:${gid}
`;

/** Nothing runs in a changed root. */
const masterOf = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'proxymap unix - - n - - proxymap',
    'gone unix - n n - - pipe user=nobody argv=/bin/sh -c {echo there is no such mailbox; exit 67}',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
