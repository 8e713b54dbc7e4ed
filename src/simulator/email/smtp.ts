import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerEnvelopeDSN, type SMTPServerRecipientDSN } from 'smtp-server';
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

/** An SMTP server that others wrote, with delivery reports (RFC 3461) on offer. */
export async function startSmtp(
  lifetime: { after(cleanUp: () => unknown): void },
  { user, password, port = 0, tls = 'none' }: SmtpOptions,
): Promise<SmtpStandIn> {
  const outbox = createOutbox<ReceivedLetter>();
  let logins = 0;
  let reaction: (step: SmtpStep, address: string) => SmtpReaction | null = () => null;

  /** Goes on, or refuses; a step that hangs is never answered. */
  function step(name: SmtpStep, address: string, done: (error?: Error | null) => void): void {
    const asked = reaction(name, address);
    if (asked === null) done();
    else if (asked === 'close') cut();
    else if (asked !== 'hang') done(Object.assign(new Error(asked.text), { responseCode: asked.code }));
  }

  const server = new SMTPServer({
    key,
    cert,
    secure: tls === 'always',
    hideSTARTTLS: tls !== 'starttls',
    allowInsecureAuth: tls !== 'starttls',
    hideDSN: false,
    disableReverseLookup: true,
    closeTimeout: 0,
    onAuth({ username, password: given }, _session, done) {
      step('AUTH', username ?? '', (error) => {
        if (error) return done(error);
        if (username !== user || given !== password) return done(new Error('5.7.8 Authentication failed'));
        logins += 1;
        done(null, { user });
      });
    },
    onMailFrom: ({ address }, _session, done) => step('MAIL', address, done),
    onRcptTo: ({ address }, _session, done) => step('RCPT', address, done),
    onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        const [recipient] = envelope.rcptTo;
        const { address: from } = envelope.mailFrom || { address: '' };
        const to = recipient?.address ?? '';
        const dsn = { ...envelope.dsn, ...recipient?.dsn };
        const mail = await PostalMime.parse(raw);
        step('DATA', to, (error) => {
          if (error) return done(error);
          outbox.add({ envelope: { from, to, encrypted: secure, dsn }, raw, mail });
          done();
        });
      });
    },
  });
  server.on('error', () => {});
  const sockets = new Set<{ destroy(): unknown }>();
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
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
    connections: () => sockets.size,
    cut,
    react: (asked) => {
      reaction = asked;
    },
  };
}
