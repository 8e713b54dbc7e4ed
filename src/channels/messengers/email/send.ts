import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { attachmentOf } from '../../contract/attachment.ts';
import { unanswered } from '../../contract/failure.ts';
import { compose } from './compose.ts';
import { envelopeSender, messageIdOf } from './names.ts';
import type { Settings } from './settings.ts';
import { handIn } from './smtp.ts';

/** SMTP has no idempotency key. A repeated mail has the same Message-ID, and many servers show it once. */
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
