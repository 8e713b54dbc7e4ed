import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Mailbox } from './mailbox.ts';
import { cert, key } from './self-signed.ts';

/** From the first byte, by STARTTLS, or not at all. */
export type Encryption = 'always' | 'starttls' | 'none';

export type Command = { word: string; encrypted: boolean };

/** What all sessions share. */
export type Inbox = {
  tls: Encryption;
  mailbox: Mailbox;
  /** The answer to a login. */
  login(user: string | undefined, password: string | undefined): string;
  asked(command: Command): void;
  /** A session waits for news. */
  idles(): void;
  left(session: ImapSession): void;
};

/** A connection of one client. */
export class ImapSession {
  idleTag: string | null = null;
  /** The number of mails reported to it. Null before it has opened the inbox. */
  #told: number | null = null;
  #inbox: Inbox;
  #socket: Socket;
  #rest = '';
  constructor(inbox: Inbox, socket: Socket) {
    this.#inbox = inbox;
    this.#socket = inbox.tls === 'always' ? encrypted(socket) : socket;
    this.#listen();
    this.say(`* OK [CAPABILITY ${this.#capabilities()}] stand-in`);
  }

  get hasInbox(): boolean {
    return this.#told !== null;
  }
  say(line: string): void {
    if (this.#socket.writable) this.#socket.write(`${line}\r\n`);
  }
  /** As servers do, between the answers of commands or while it idles. */
  tell(): void {
    const count = this.#inbox.mailbox.count();
    if (this.#told === null || this.#told === count) return;
    this.#told = count;
    this.say(`* ${count} EXISTS`);
  }
  end(): void {
    this.#socket.destroy();
  }
  #isEncrypted = (): boolean => this.#socket instanceof TLSSocket;
  #capabilities(): string {
    return this.#inbox.tls === 'starttls' && !this.#isEncrypted()
      ? 'IMAP4rev1 STARTTLS LOGINDISABLED'
      : 'IMAP4rev1 IDLE';
  }
  #listen(): void {
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#inbox.left(this));
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
    this.#inbox.asked({ word, encrypted: this.#isEncrypted() });
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
        return this.#inbox.login(words[0], words[1]);
      case 'LIST':
      case 'LSUB':
        this.say(words[1] === '' ? `* ${word} (\\Noselect) "/" ""` : `* ${word} () "/" INBOX`);
        return 'OK done';
      case 'EXAMINE':
      case 'SELECT':
        this.#told = -1;
        this.tell();
        this.say('* FLAGS ()');
        this.say(`* OK [UIDVALIDITY ${this.#inbox.mailbox.validity()}] valid`);
        this.say(`* OK [UIDNEXT ${this.#inbox.mailbox.nextUid()}] next`);
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
        this.#inbox.idles();
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
  #search(line: string): void {
    const [, from = '1', until = '*'] = /(\d+):(\d+|\*)/.exec(line) ?? [];
    const found = this.#inbox.mailbox.search(from, until).map((uid) => ` ${uid}`);
    this.say(`* SEARCH${found.join('')}`);
  }
  #fetch(wanted: number, line: string): void {
    const mail = this.#inbox.mailbox.find(wanted);
    if (!mail) return;
    const [, start = '0', most = 'Infinity'] = /<(\d+)\.(\d+)>/.exec(line) ?? [];
    const bytes = Buffer.from(mail.source).subarray(Number(start), Number(start) + Number(most));
    this.say(`* ${mail.place} FETCH (UID ${wanted} BODY[]<${start}> {${bytes.length}}`);
    this.#socket.write(bytes);
    this.say(')');
  }
}

const encrypted = (socket: Socket): Socket =>
  new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {});

/** The words of a command; a quoted one without its quotes. */
const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"((?:[^"\\]|\\.)*)"|[^\s"]+/g), ([word, quoted]) =>
    quoted === undefined ? word : quoted.replace(/\\(.)/g, '$1'),
  );
