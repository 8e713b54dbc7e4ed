import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { isPage } from '../../shared/answer.ts';
import { errorOf } from './refusals.ts';
import { type Settings, usualRoot } from './settings.ts';

const MAX_ANSWER_BYTES = 64 * 1024;

/** The response contains no id: Auto.ru identifies the message by ours. */
export async function send(
  message: OutgoingMessage,
  { token, api_root }: Settings,
  http: Outbound,
  { now, deadline }: SendAttempt,
): Promise<SendResult> {
  try {
    const query = new URLSearchParams({ token });
    const answer = await http.request({
      url: `${apiRootOf(api_root, usualRoot)}/1.0/aggregators/auto/hook?${query}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(bodyOf(message)),
      maxResponseBytes: MAX_ANSWER_BYTES,
      signal: deadline,
    });
    const isAccepted = answer.status >= 200 && answer.status < 300 && !isPage(answer);
    if (!isAccepted) return failed(errorOf(answer, token, now));
    return { sent: true, providerId: null };
  } catch (error) {
    return unanswered(error);
  }
}

/** Auto.ru shows the sender's name to the client, and the client reads Russian. */
const senderName = 'Оператор';

function bodyOf({ uuid, type, text, url, chat }: OutgoingMessage): object {
  const content = type === 'image' ? { type: 'photo', file: url } : { type: 'text' };
  return {
    sender: { name: senderName },
    recipient: { id: chat.externalId },
    message: { ...content, id: uuid, ...(text && { text }) },
  };
}
