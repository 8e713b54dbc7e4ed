import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { fetchFile } from '../../shared/file.ts';
import { compose } from './compose.ts';
import { envelopeSender, messageIdOf } from './names.ts';
import type { Settings } from './settings.ts';
import { handIn } from './smtp.ts';

const MOST_MIB = 25;

/** SMTP has no idempotency key. A repeated mail has the same Message-ID, and many servers show it once. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  http: Outbound,
  { now, deadline }: SendAttempt,
): Promise<SendResult> {
  if (message.type === 'template') return failed({ code: 'unsupported' });
  const { uuid, chat, url } = message;
  const { from } = settings;
  try {
    const file = url === null ? null : await fetchFile(http, url, { mostMiB: MOST_MIB, signal: deadline });
    const content = await compose(message, settings, now, file);
    const letter = { uuid, from: envelopeSender(uuid, from), to: chat.externalId, content };
    const result = await handIn(settings, http, letter, deadline);
    return result.sent ? { sent: true, providerId: messageIdOf(uuid, from) } : result;
  } catch (error) {
    return unanswered(error);
  }
}
