import type { Place } from '../http-api.ts';
import { counterFrom, keepLatest } from '../outbox.ts';
import { addressForm, type Person } from '../people.ts';
import { bare, listenTo, type Player, type Rules, type Said, type Shown } from '../player.ts';
import { startImap } from './imap.ts';
import { dsn, letter, mdn } from './letters.ts';
import { type ReceivedLetter, type SmtpReaction, type SmtpStep, startSmtp } from './smtp.ts';

const from = 'shop@simulator.example';
const login = { user: 'shop', password: 'simulator' };
const people = addressForm('person', 6, '@client.example');

/** The ports of the mail servers, because mail has none of HTTP's paths. */
export type MailPorts = { smtp: number; imap: number };

type Thread = { messageId: string; subject: string };

/** Latest mails by person and by Message-ID. */
const mostMails = 50_000;

export async function playEmail(place: Place, ports: MailPorts): Promise<Player> {
  const smtp = await startSmtp(place, { ...login, port: ports.smtp });
  const firstValidity = Math.floor((place.lastNumber ?? 1_000) / 1_000);
  const imap = await startImap(place, { ...login, port: ports.imap, firstValidity });
  const nextId = counterFrom(place);
  const { threads, envelopeIds, remember } = createMails();

  function obey({ mood, standing, refused }: Rules): void {
    smtp.react((step, address) => {
      const person = step === 'RCPT' ? people.numberIn(address) : null;
      const isGone = person !== null && standing(person) === 'gone';
      const reaction = isGone ? noMailbox : reactionIn(mood(), step);
      if (reaction !== null && person !== null) refused(person, isGone ? 'gone' : mood());
      return reaction;
    });
  }

  return {
    platform: 'Email',
    settings: {
      from,
      from_name: 'Shop',
      smtp_url: `smtp://${login.user}:${login.password}@127.0.0.1:${smtp.port}`,
      imap_url: `imap://${login.user}:${login.password}@127.0.0.1:${imap.port}`,
    },
    addressOf: ({ number }) => people.of(number),
    says: ['text', 'image', 'file'],
    receipts: ['delivered', 'read', 'undelivered'],
    listen: (arrived) => listenTo(smtp.outbox, remember, arrived),
    obey,
    moods: ['normal', 'busy', 'credentials', 'down', 'hang'],
    async say(person, said) {
      const thread = threads.get(person.number);
      imap.deliver(
        letter({
          from: mailboxOf(person),
          to: from,
          messageId: `<m${nextId()}@client.example>`,
          subject: thread ? `Re: ${thread.subject.replace(/^Re: /, '')}` : '',
          ...(thread && { inReplyTo: thread.messageId }),
          ...contentFrom(said),
        }),
      );
    },
    async acknowledge(person, ids, receipt) {
      for (const messageId of ids) {
        imap.deliver(reportOf(person, messageId, receipt, envelopeIds.get(messageId)));
      }
    },
    block: async () => {},
    addresses: () => (imap.isRead() ? [from] : []),
    registration: { get: () => null, set: () => {} },
  };
}

/** The person answers the latest mail, and reports name its envelope. */
function createMails() {
  const threads = new Map<number, Thread>();
  const envelopeIds = new Map<string, string>();

  function remember(received: ReceivedLetter): Shown | null {
    const shown = shownFrom(received);
    if (shown === null) return null;
    const { id, to, subject = '' } = shown;
    keepLatest(threads, to, { messageId: id, subject }, mostMails);
    keepLatest(envelopeIds, id, received.envelope.dsn.envid ?? '', mostMails);
    return shown;
  }

  return { threads, envelopeIds, remember };
}

const noMailbox: SmtpReaction = { code: 550, text: '5.1.1 No such mailbox' };

function reactionIn(mood: ReturnType<Rules['mood']>, step: SmtpStep): SmtpReaction | null {
  switch (mood) {
    case 'busy':
      return step === 'RCPT' ? { code: 450, text: '4.7.28 Too many messages, slow down' } : null;
    case 'credentials':
      // A connection that logged in before needs no login.
      if (step === 'MAIL') return { code: 530, text: '5.7.0 Authentication required' };
      return step === 'AUTH' ? { code: 535, text: '5.7.8 Authentication failed' } : null;
    case 'down':
      return { code: 421, text: '4.3.2 Service not available' };
    case 'hang':
      return 'hang';
    default:
      return null;
  }
}

function contentFrom(said: Said): Pick<Parameters<typeof letter>[0], 'text' | 'files'> {
  if (said.kind === 'text') return { text: said.text };
  if (!('file' in said)) return { text: '' };
  const { name, type, bytes } = said.file;
  return { text: said.text, files: [{ name, type, bytes }] };
}

const mailboxOf = ({ number, name }: Person): string => `${name} <${people.of(number)}>`;

function reportOf(
  person: Person,
  messageId: string,
  receipt: 'delivered' | 'read' | 'undelivered',
  envelopeId = '',
): string {
  if (receipt === 'read') {
    const disposition = 'manual-action/MDN-sent-manually; displayed';
    return mdn({ messageId, disposition, from: mailboxOf(person), to: from });
  }
  const report = { to: from, originalMessageId: messageId, ...(envelopeId && { envelopeId }) };
  return receipt === 'delivered'
    ? dsn({ ...report, action: 'delivered' })
    : dsn({ ...report, action: 'failed', diagnosis: '550 5.1.1 No such mailbox' });
}

function shownFrom({ envelope, mail }: ReceivedLetter): Shown | null {
  const to = people.numberIn(envelope.to);
  if (to === null) return null;
  const unsubscribe = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value.replace(/[<>]/g, '');
  return {
    ...bare,
    id: mail.messageId ?? '',
    to,
    subject: mail.subject ?? '',
    text: mail.text?.trim() ?? '',
    files: mail.attachments.map(({ filename, mimeType, content }) => ({
      kind: mimeType.startsWith('image/') ? 'image' : 'file',
      name: filename ?? 'attachment',
      bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
    })),
    buttons: unsubscribe ? [{ label: 'Unsubscribe', url: unsubscribe }] : [],
  };
}
