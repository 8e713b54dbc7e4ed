import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { SendResult } from '../../contract/adapter.ts';
import { called, SmtpFailed, withConnection } from './connections.ts';
import { errorOf, type Refusal, refusalOf } from './refusals.ts';
import type { Settings } from './settings.ts';

export type Letter = { uuid: string; from: string; to: string; content: Buffer };

/** Sends one mail. Throws the errors of `addressesOf`. */
export async function handIn(
  settings: Settings,
  outbound: Outbound,
  letter: Letter,
  signal: AbortSignal,
): Promise<SendResult> {
  let wholeWritten = false;
  const content = () => {
    wholeWritten = false;
    return Readable.from([letter.content]).once('end', () => (wholeWritten = true));
  };
  let refusal: Refusal | null = null;
  const work = async (smtp: SMTPConnection) => {
    refusal = await refusalOfMail(smtp, () => handOver(smtp, settings, letter, content));
  };
  try {
    // A server accepts no part of a mail, so it does not have this one yet.
    await withConnection(settings, outbound, signal, work, () => !wholeWritten);
  } catch (error) {
    if (!(error instanceof SmtpFailed)) throw error;
    refusal = error.refusal;
  }
  return refusal ? { sent: false, error: errorOf(refusal, wholeWritten) } : { sent: true, providerId: null };
}

async function handOver(
  smtp: SMTPConnection,
  { from }: Settings,
  letter: Letter,
  content: () => Readable,
): Promise<void> {
  await called((done) => smtp.send(envelopeOf(letter), content(), done)).catch(async (error) => {
    // Some servers accept only the account's own address as the envelope sender.
    if (!isSenderRefused(refusalOf(error))) throw error;
    await called((done) => smtp.reset(done));
    await called((done) => smtp.send(envelopeOf({ ...letter, from }), content(), done));
  });
}

/** A refusal of this mail alone. The connection is then ready for the next one. Throws all other errors. */
async function refusalOfMail(smtp: SMTPConnection, send: () => Promise<void>): Promise<Refusal | null> {
  try {
    await send();
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    const { command, code } = refusal;
    if (code === null || code === closing || !/^(MAIL|RCPT|DATA)/.test(command)) throw error;
    await called((done) => smtp.reset(done));
    return refusal;
  }
}

/** The server ends the connection. Source: RFC 5321, section 4.2.3. */
const closing = 421;

const envelopeOf = ({ uuid, from, to, content }: Letter) => ({
  from,
  to,
  size: content.length,
  dsn: { ret: 'HDRS', envid: uuid, notify: ['SUCCESS', 'FAILURE', 'DELAY'], orcpt: `rfc822;${to}` },
});

/** Source: RFC 3463, section 3.2: X.1.7 and X.1.8 are about the sender's address. */
const aboutSender = /\b5\.1\.[78]\b|sender|return.path|mail from/i;

/** Many servers answer about the sender only after they know the recipient or the mail. */
function isSenderRefused({ command, code, text }: Refusal): boolean {
  if (code === null || code < 500) return false;
  if (command === 'MAIL FROM') return code === 501 || (code >= 550 && code !== 552);
  return /^(RCPT|DATA)/.test(command) && aboutSender.test(text);
}
