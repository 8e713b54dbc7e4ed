import { basename } from 'node:path';
import { type Outbound, OutboundFailed, OutboundRefused } from '../../../platform/outbound/outbound.ts';
import type { OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import type { SendError } from '../../contract/errors.ts';
import { unanswered } from '../../contract/failure.ts';
import { type Attachment, compose } from './compose.ts';
import { envelopeSender, messageIdOf } from './names.ts';
import type { Settings } from './settings.ts';
import { handIn } from './smtp.ts';

const mostBytes = 25 * 1024 * 1024;

/** SMTP takes no idempotency key. A mail that goes out twice has one Message-ID, which many servers show once. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  http: Outbound,
  { now, deadline }: SendAttempt,
): Promise<SendResult> {
  if (message.type === 'template') return { sent: false, error: { code: 'unsupported' } };
  const attached = await attachmentOf(message.url, http, deadline);
  if (attached && 'code' in attached) return { sent: false, error: attached };
  const { uuid, chat } = message;
  const { from } = settings;
  const content = await compose(message, settings, now, attached);
  const letter = { uuid, from: envelopeSender(uuid, from), to: chat.externalId, content };
  try {
    const result = await handIn(settings, http, letter, deadline);
    return result.sent ? { sent: true, providerId: messageIdOf(uuid, from) } : result;
  } catch (error) {
    return unanswered(error);
  }
}

/** The file that goes with a mail, or why there is none: nothing was sent then. */
async function attachmentOf(
  url: string | null,
  http: Outbound,
  signal: AbortSignal,
): Promise<Attachment | SendError | null> {
  if (url === null) return null;
  try {
    const { status, headers, body, truncated } = await http.request({
      url,
      method: 'GET',
      maxResponseBytes: mostBytes,
      signal,
    });
    const detail = `The file at ${url} was answered with ${status}.`;
    if (status >= 500 || status === 429) return { code: 'temporary', mayHaveBeenSent: false, detail };
    if (status !== 200) return { code: 'bad_content', detail };
    if (truncated) return { code: 'bad_content', detail: `The file at ${url} has more than 25 MiB.` };
    const type = headers['content-type']?.split(';')[0] ?? '';
    return {
      name: nameOf(url),
      type: /^\w+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
      bytes: body,
    };
  } catch (error) {
    if (error instanceof OutboundRefused) return { code: 'bad_content', detail: error.message };
    if (error instanceof OutboundFailed) {
      return { code: 'temporary', mayHaveBeenSent: false, detail: `The file: ${error.message}` };
    }
    throw error;
  }
}

function nameOf(url: string): string {
  const name = basename(URL.parse(url)?.pathname ?? '');
  try {
    return decodeURIComponent(name) || 'file';
  } catch {
    return name;
  }
}
