import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export type ReceivedMail = { to: string; text: string };

export type MailServer = {
  url: string;
  /** Resolves with the next mail that was not taken yet. */
  next(): Promise<ReceivedMail>;
  /** Refuses mail from now on, or accepts it again. */
  refuse(isRefused: boolean): void;
  /** How many mails were refused. */
  refusals(): number;
  /** Hangs up after the whole mail, without an answer, from now on. Or answers again. */
  hangUp(isSilent: boolean): void;
};

/** A minimal SMTP server that accepts mail (RFC 5321). */
export async function startMailServer(lifetime: {
  after(cleanUp: () => Promise<void>): void;
}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const waiting: ((mail: ReceivedMail) => void)[] = [];
  const sockets = new Set<Socket>();
  let refused = false;
  let silent = false;
  let refusals = 0;

  function take(mail: ReceivedMail): void {
    const someone = waiting.shift();
    if (someone) someone(mail);
    else mails.push(mail);
  }

  async function serve(socket: Socket): Promise<void> {
    const say = (line: string) => socket.write(`${line}\r\n`);
    let [to, body] = ['', null as string[] | null];
    say('220 stand-in');
    for await (const line of createInterface({ input: socket })) {
      if (body !== null) {
        if (line !== '.') body.push(line);
        else {
          take({ to, text: decoded(body) });
          body = null;
          if (silent) return void socket.destroy();
          say('250 taken');
        }
      } else if (/^DATA/i.test(line)) {
        body = [];
        say('354 go on');
      } else if (/^MAIL/i.test(line) && refused) {
        refusals += 1;
        say('550 refused');
      } else {
        to = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1] ?? to;
        say(/^QUIT/i.test(line) ? '221 bye' : '250 fine');
      }
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket).catch(() => {});
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  lifetime.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    next() {
      const mail = mails.shift();
      return mail ? Promise.resolve(mail) : new Promise((resolve) => void waiting.push(resolve));
    },
    refuse: (isRefused) => {
      refused = isRefused;
    },
    refusals: () => refusals,
    hangUp: (isSilent) => {
      silent = isSilent;
    },
  };
}

/** The lines of a body without its headers, with quoted-printable decoded. */
const decoded = (lines: string[]): string =>
  lines
    .slice(lines.indexOf('') + 1)
    .join('\n')
    .replace(/=\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
