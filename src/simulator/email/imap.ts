import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { cert, key } from './self-signed.ts';

export type ImapOptions = {
  user: string;
  password: string;
  /** Default: any. */
  port?: number;
  /** From the first byte, by STARTTLS, or not at all. */
  tls?: 'always' | 'starttls' | 'none';
  /** The first UIDVALIDITY. A mailbox whose UIDs count from one again needs another one. Default: 1. */
  firstValidity?: number;
};

export type ImapStandIn = {
  port: number;
  /** Receives a mail and notifies idle clients. Returns its UID. */
  deliver(source: string): number;
  /** The words of every command, and whether it came through TLS. */
  commands: { word: string; encrypted: boolean }[];
  /** The mailbox is made anew: its UIDs count from one again, and its mails keep their order. */
  renumber(): void;
  /** Logins are answered so; null for an answer of its own. */
  refuse(words: string | null): void;
  /** Every connection is cut. */
  cut(): void;
  /** Somebody reads the mailbox. */
  isRead(): boolean;
  /** Resolves once somebody waits for news. */
  idled(): Promise<void>;
};

/** Older mails have been read, and keep only their places. */
const mostKept = 5_000;

/** As much of IMAP4rev1 as reading an inbox takes (RFC 3501, 2177). */
export async function startImap(
  lifetime: { after(cleanUp: () => unknown): void },
  { user, password, port = 0, tls = 'none', firstValidity = 1 }: ImapOptions,
): Promise<ImapStandIn> {
  const mails: { uid: number; source: string }[] = [];
  const commands: ImapStandIn['commands'] = [];
  const sessions = new Set<Session>();
  const idlers: (() => void)[] = [];
  let [validity, next] = [firstValidity, 1];
  let refusal: string | null = null;

  class Session {
    idleTag: string | null = null;
    /** The number of mails reported to it. Null before it has opened the inbox. */
    #told: number | null = null;
    #socket: Socket;
    #rest = '';
    constructor(socket: Socket) {
      this.#socket = tls === 'always' ? encrypted(socket) : socket;
      this.#listen();
      this.say(`* OK [CAPABILITY ${this.#capabilities()}] stand-in`);
    }
    say(line: string): void {
      if (this.#socket.writable) this.#socket.write(`${line}\r\n`);
    }
    /** As servers do, between the answers of commands or while it idles. */
    tell(): void {
      if (this.#told === null || this.#told === mails.length) return;
      this.#told = mails.length;
      this.say(`* ${mails.length} EXISTS`);
    }
    end(): void {
      this.#socket.destroy();
    }
    #isEncrypted = (): boolean => this.#socket instanceof TLSSocket;
    #capabilities(): string {
      return tls === 'starttls' && !this.#isEncrypted()
        ? 'IMAP4rev1 STARTTLS LOGINDISABLED'
        : 'IMAP4rev1 IDLE';
    }
    #listen(): void {
      this.#socket.on('error', () => {});
      this.#socket.on('close', () => sessions.delete(this));
      this.#socket.on('data', (chunk: Buffer) => {
        const lines = (this.#rest + chunk.toString()).split('\r\n');
        this.#rest = lines.pop() ?? '';
        for (const line of lines) this.#answer(line);
      });
    }
    #answer(line: string): void {
      if (this.idleTag !== null && line.toUpperCase() === 'DONE') {
        this.say(`${this.idleTag} OK done`);
        this.idleTag = null;
        return;
      }
      const [tag = '', first = '', ...rest] = wordsOf(line);
      const isUid = first.toUpperCase() === 'UID';
      const word = (isUid ? `UID ${rest[0]}` : first).toUpperCase();
      commands.push({ word, encrypted: this.#isEncrypted() });
      if (commands.length > mostKept) commands.shift();
      const answer = this.#perform(word, rest, line);
      if (answer === null) {
        this.idleTag = tag;
        return;
      }
      this.tell();
      this.say(`${tag} ${answer}`);
      if (word === 'STARTTLS') this.#encrypt();
    }
    #encrypt(): void {
      this.#socket.removeAllListeners('data');
      this.#socket = encrypted(this.#socket);
      this.#listen();
    }
    /** Says what a command brings, and gives its end; null for one that goes on. */
    #perform(word: string, words: string[], line: string): string | null {
      switch (word) {
        case 'CAPABILITY':
          this.say(`* CAPABILITY ${this.#capabilities()}`);
          return 'OK done';
        case 'LOGIN':
          if (refusal !== null) return refusal;
          if (words[0] === user && words[1] === password) return 'OK done';
          return 'NO [AUTHENTICATIONFAILED] Invalid credentials';
        case 'LIST':
        case 'LSUB':
          this.say(words[1] === '' ? `* ${word} (\\Noselect) "/" ""` : `* ${word} () "/" INBOX`);
          return 'OK done';
        case 'EXAMINE':
        case 'SELECT':
          this.#told = -1;
          this.tell();
          this.say('* FLAGS ()');
          this.say(`* OK [UIDVALIDITY ${validity}] valid`);
          this.say(`* OK [UIDNEXT ${next}] next`);
          return 'OK [READ-ONLY] opened';
        case 'UID SEARCH':
          this.#search(line);
          return 'OK done';
        case 'UID FETCH':
          this.#fetch(Number(words[1]), line);
          return 'OK done';
        case 'IDLE':
          this.say('+ idling');
          this.tell();
          for (const resolve of idlers.splice(0)) resolve();
          return null;
        case 'LOGOUT':
          this.say('* BYE');
          return 'OK done';
        case 'STARTTLS':
        case 'NOOP':
        case 'CLOSE':
          return 'OK done';
        default:
          return 'BAD unknown';
      }
    }
    /** `n:*` is the last mail where n is beyond it. */
    #search(line: string): void {
      const [, from = '1', until = '*'] = /(\d+):(\d+|\*)/.exec(line) ?? [];
      const last = mails.at(-1)?.uid ?? 0;
      const [first, end] =
        until === '*' ? [Math.min(Number(from), last), last] : [Number(from), Number(until)];
      const found = mails.filter(({ uid }) => uid >= first && uid <= end).map(({ uid }) => ` ${uid}`);
      this.say(`* SEARCH${found.join('')}`);
    }
    #fetch(wanted: number, line: string): void {
      const index = mails.findIndex(({ uid }) => uid === wanted);
      const mail = mails[index];
      if (!mail) return;
      const [, start = '0', most = 'Infinity'] = /<(\d+)\.(\d+)>/.exec(line) ?? [];
      const bytes = Buffer.from(mail.source).subarray(Number(start), Number(start) + Number(most));
      this.say(`* ${index + 1} FETCH (UID ${wanted} BODY[]<${start}> {${bytes.length}}`);
      this.#socket.write(bytes);
      this.say(')');
    }
  }

  const server = createServer((socket) => sessions.add(new Session(socket)));
  await listening(server, port);
  const cut = () => {
    for (const session of sessions) session.end();
  };
  lifetime.after(() => {
    cut();
    server.close();
  });
  return {
    port: portOf(server),
    commands,
    cut,
    refuse: (words) => {
      refusal = words;
    },
    deliver(source) {
      const uid = next;
      next += 1;
      mails.push({ uid, source });
      const old = mails[mails.length - 1 - mostKept];
      if (old) old.source = '';
      for (const session of sessions) if (session.idleTag !== null) session.tell();
      return uid;
    },
    renumber() {
      validity += 1;
      mails.forEach((mail, index) => {
        mail.uid = index + 1;
      });
      next = mails.length + 1;
    },
    isRead: () => sessions.size > 0,
    idled: () => new Promise((resolve) => void idlers.push(resolve)),
  };
}

const encrypted = (socket: Socket): Socket =>
  new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {});

/** The words of a command; a quoted one without its quotes. */
const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"((?:[^"\\]|\\.)*)"|[^\s"]+/g), ([word, quoted]) =>
    quoted === undefined ? word : quoted.replace(/\\(.)/g, '$1'),
  );

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port');
  return address.port;
}
