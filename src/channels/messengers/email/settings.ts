import Type, { type Static } from 'typebox';
import { ForPeople } from '../../contract/failure.ts';

const serverAddress = (schemes: string, description: string) =>
  Type.String({ pattern: `^${schemes}://[^\\s/?#]+/?$`, maxLength: 2048, secret: true, description });

/** An address that mail programs and servers read alike: without quotes and comments. A part of a pattern. */
export const address = '[^\\s@<>()[\\]\\\\,;:"]+@[^\\s@<>()[\\]\\\\,;:"]+';

/** Source: channels, "Settings by name". */
export const settings = Type.Object({
  from: Type.String({
    pattern: `^${address}$`,
    maxLength: 254,
    description: 'The address of the mailbox: clients write to it, and messages come from it.',
  }),
  from_name: Type.Optional(
    Type.String({
      pattern: '^[^\\r\\n]*$',
      maxLength: 255,
      description: 'The sender name that clients see.',
    }),
  ),
  smtp_url: serverAddress(
    'smtps?',
    'The SMTP server: smtp://user:password@host:587 or smtps://user:password@host:465.',
  ),
  imap_url: Type.Optional(
    serverAddress(
      'imaps?',
      'The IMAP server: imaps://user:password@host:993 or imap://user:password@host:143. Without it, no mail is received.',
    ),
  ),
  form_senders: Type.Optional(
    Type.String({
      pattern: `^[\\s,]*(${address}([\\s,]+|$))*$`,
      maxLength: 4096,
      description:
        'Addresses from which web forms send, separated by commas. Only their mails are written by Reply-To.',
    }),
  ),
  tls: Type.Optional(
    Type.Unsafe<'verify' | 'insecure'>({
      type: 'string',
      enum: ['verify', 'insecure'],
      description:
        'Default: verify, which checks the certificates of both servers. insecure accepts any certificate.',
    }),
  ),
});

export type Settings = Static<typeof settings>;

export type MailServer = {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS is used if the server offers it. */
  secure: boolean;
  user: string;
  pass: string;
};

const usualPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465, 'imap:': 143, 'imaps:': 993 };

/** Throws text for people. */
export function readServer(address: string): MailServer {
  const url = URL.parse(address);
  if (!url?.hostname) throw new ForPeople('The address of the mail server is not valid.');
  const { protocol, hostname, port, username, password } = url;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : (usualPorts[protocol] ?? 0),
    secure: protocol.endsWith('s:'),
    user: decoded(username),
    pass: decoded(password),
  };
}

/** Text with an invalid escape is kept as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
