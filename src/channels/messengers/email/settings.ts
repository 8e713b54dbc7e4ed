import Type, { type Static } from 'typebox';

const serverAddress = (schemes: string, description: string) =>
  Type.String({ pattern: `^${schemes}://[^\\s/?#]+/?$`, maxLength: 2048, secret: true, description });

/** Source: channels, "Settings by name". */
export const settings = Type.Object({
  from: Type.String({
    pattern: '^[^\\s@<>()[\\]\\\\,;:"]+@[^\\s@<>()[\\]\\\\,;:"]+$',
    maxLength: 254,
    description: 'The address that clients write to, and that answers come from.',
  }),
  from_name: Type.Optional(
    Type.String({ pattern: '^[^\\r\\n]*$', maxLength: 255, description: 'The name beside it.' }),
  ),
  smtp_url: serverAddress('smtps?', 'The server that sends: smtp://user:password@host:587 or smtps://…:465.'),
  imap_url: Type.Optional(
    serverAddress(
      'imaps?',
      'The mailbox that is read: imaps://user:password@host:993 or imap://…:143. Without it nothing comes in.',
    ),
  ),
  tls: Type.Optional(
    Type.Unsafe<'verify' | 'insecure'>({
      type: 'string',
      enum: ['verify', 'insecure'],
      description: 'verify (unless said) checks the certificates of both servers; insecure takes any.',
    }),
  ),
});

export type Settings = Static<typeof settings>;

export type MailServer = {
  host: string;
  port: number;
  /** TLS from the first byte. Without it, STARTTLS where the server offers it. */
  secure: boolean;
  user: string;
  pass: string;
};

const usualPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465, 'imap:': 143, 'imaps:': 993 };

/** Throws text for people. */
export function readServer(address: string): MailServer {
  const url = URL.parse(address);
  if (!url?.hostname) throw new Error('The address of the mail server is not valid.');
  const { protocol, hostname, port, username, password } = url;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : (usualPorts[protocol] ?? 0),
    secure: protocol.endsWith('s:'),
    user: decoded(username),
    pass: decoded(password),
  };
}

/** A password with a bare `%` in it is itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
