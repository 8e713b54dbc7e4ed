import type { Server, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import {
  SMTPServer,
  type SMTPServerEnvelopeDSN,
  type SMTPServerOptions,
  type SMTPServerRecipientDSN,
  type SMTPServerSession,
} from 'smtp-server';
import { listenAt } from '../listening.ts';
import { createOutbox, type Outbox } from '../outbox.ts';
import { cert, key } from './self-signed.ts';

export type SmtpOptions = {
  user: string;
  password: string;
  /** Default: any. */
  port?: number;
  /** From the first byte, by STARTTLS, or not at all. */
  tls?: 'always' | 'starttls' | 'none';
  /** The largest mail in bytes, which the server names in its greeting. Default: it names none. */
  size?: number;
};

export type ReceivedLetter = {
  envelope: {
    from: string;
    to: string;
    encrypted: boolean;
    /** What was asked to be reported, and under which name. */
    dsn: Partial<SMTPServerEnvelopeDSN & SMTPServerRecipientDSN>;
  };
  raw: Buffer;
  mail: Email;
};

export type SmtpStep = 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';
export type SmtpReaction = { code: number; text: string } | 'close' | 'hang';

export type SmtpStandIn = {
  port: number;
  letters: ReceivedLetter[];
  outbox: Outbox<ReceivedLetter>;
  /** How often somebody logged in. */
  logins(): number;
  /** The open connections. */
  connections(): number;
  /** Ends every connection. */
  cut(): void;
  /** Steps for which this gives something are answered so; null for the others. */
  react(reaction: (step: SmtpStep, address: string) => SmtpReaction | null): void;
};

type Done = (error?: Error | null) => void;

type Handling = Required<Pick<SMTPServerOptions, 'onAuth' | 'onMailFrom' | 'onRcptTo' | 'onData'>>;

/** An SMTP server that others wrote, with delivery reports (RFC 3461) on offer. */
export async function startSmtp(
  lifetime: { after(cleanUp: () => unknown): void },
  { user, password, port = 0, tls = 'none', size }: SmtpOptions,
): Promise<SmtpStandIn> {
  const outbox = createOutbox<ReceivedLetter>();
  let logins = 0;
  let reaction: (step: SmtpStep, address: string) => SmtpReaction | null = () => null;

  /** Goes on, or refuses; a step that hangs is never answered. */
  function step(name: SmtpStep, address: string, done: Done): void {
    const asked = reaction(name, address);
    if (asked === null) done();
    else if (asked === 'close') cut();
    else if (asked !== 'hang') done(Object.assign(new Error(asked.text), { responseCode: asked.code }));
  }

  function logIn(name: string | undefined, given: string | null | undefined): boolean {
    const isRight = name === user && given === password;
    if (isRight) logins += 1;
    return isRight;
  }

  const server = new SMTPServer({
    key,
    cert,
    secure: tls === 'always',
    hideSTARTTLS: tls !== 'starttls',
    allowInsecureAuth: tls !== 'starttls',
    hideDSN: false,
    ...(size !== undefined && { size }),
    disableReverseLookup: true,
    closeTimeout: 0,
    ...handlingBy(step, logIn, outbox),
  });
  server.on('error', () => {});
  const { cut, count } = connectionsOf(server.server);
  const ownPort = await listenAt(server.server, port);
  lifetime.after(() => {
    cut();
    server.close(() => {});
  });
  return {
    port: ownPort,
    letters: outbox.sent,
    outbox,
    logins: () => logins,
    connections: count,
    cut,
    react: (asked) => {
      reaction = asked;
    },
  };
}

/** Each step may be refused before it is done. */
function handlingBy(
  step: (name: SmtpStep, address: string, done: Done) => void,
  logIn: (name: string | undefined, password: string | null | undefined) => boolean,
  outbox: Outbox<ReceivedLetter>,
): Handling {
  return {
    onAuth({ username, password }, _session, done) {
      step('AUTH', username ?? '', (error) => {
        if (error) return done(error);
        if (!logIn(username, password)) return done(new Error('5.7.8 Authentication failed'));
        done(null, { user: username });
      });
    },
    onMailFrom: ({ address }, _session, done) => step('MAIL', address, done),
    onRcptTo: ({ address }, _session, done) => step('RCPT', address, done),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', async () => {
        const letter = await letterFrom(Buffer.concat(chunks), session);
        step('DATA', letter.envelope.to, (error) => {
          if (error) return done(error);
          outbox.add(letter);
          done();
        });
      });
    },
  };
}

async function letterFrom(raw: Buffer, { envelope, secure }: SMTPServerSession): Promise<ReceivedLetter> {
  const [recipient] = envelope.rcptTo;
  const { address: from } = envelope.mailFrom || { address: '' };
  const to = recipient?.address ?? '';
  const dsn = { ...envelope.dsn, ...recipient?.dsn };
  const mail = await PostalMime.parse(raw);
  return { envelope: { from, to, encrypted: secure, dsn }, raw, mail };
}

/** The open connections of a server. */
function connectionsOf(server: Server): { cut(): void; count(): number } {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    count: () => sockets.size,
  };
}
