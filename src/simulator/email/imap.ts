import { createServer } from 'node:net';
import { listenAt } from '../listening.ts';
import { pushLatest } from '../outbox.ts';
import { type Command, type Encryption, ImapSession } from './imap-session.ts';
import { createMailbox } from './mailbox.ts';

export type ImapOptions = {
  user: string;
  password: string;
  /** Default: any. */
  port?: number;
  /** From the first byte, by STARTTLS, or not at all. */
  tls?: Encryption;
  /** The first UIDVALIDITY. A mailbox whose UIDs count from one again needs another one. Default: 1. */
  firstValidity?: number;
};

export type ImapStandIn = {
  port: number;
  /** Receives a mail and notifies idle clients. Returns its UID. */
  deliver(source: string): number;
  /** The words of every command, and whether it came through TLS. */
  commands: Command[];
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

const mostCommands = 5_000;

/** As much of IMAP4rev1 as reading an inbox takes (RFC 3501, 2177). */
export async function startImap(
  lifetime: { after(cleanUp: () => unknown): void },
  { user, password, port = 0, tls = 'none', firstValidity = 1 }: ImapOptions,
): Promise<ImapStandIn> {
  const mailbox = createMailbox(firstValidity);
  const commands: Command[] = [];
  const sessions = new Set<ImapSession>();
  const idlers: (() => void)[] = [];
  let refusal: string | null = null;

  const inbox = {
    tls,
    mailbox,
    login: (name: string | undefined, word: string | undefined) =>
      refusal ??
      (name === user && word === password ? 'OK done' : 'NO [AUTHENTICATIONFAILED] Invalid credentials'),
    asked(command: Command) {
      pushLatest(commands, command, mostCommands);
    },
    idles() {
      for (const resolve of idlers.splice(0)) resolve();
    },
    left: (session: ImapSession) => sessions.delete(session),
  };
  const server = createServer((socket) => sessions.add(new ImapSession(inbox, socket)));
  const ownPort = await listenAt(server, port);
  const cut = () => {
    for (const session of sessions) session.end();
  };
  lifetime.after(() => {
    cut();
    server.close();
  });
  return {
    port: ownPort,
    commands,
    cut,
    refuse: (words) => {
      refusal = words;
    },
    deliver(source) {
      const uid = mailbox.add(source);
      for (const session of sessions) if (session.idleTag !== null) session.tell();
      return uid;
    },
    renumber: mailbox.renumber,
    isRead: () => [...sessions].some(({ hasInbox }) => hasInbox),
    idled: () => new Promise((resolve) => void idlers.push(resolve)),
  };
}
