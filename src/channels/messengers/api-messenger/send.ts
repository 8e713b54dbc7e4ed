import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.ts';
import { signWebhook } from '../../../platform/secrets/signature.ts';
import type { OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { jsonIn } from '../../shared/json.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const MAX_ANSWER_BYTES = 4096;
const MAX_ID_LENGTH = 255;

/**
 * Posts the message to the receiver's address. The message's uuid is its `Idempotency-Key` and its `webhook-id`, the
 * same in every attempt.
 */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  http: Outbound,
  { now, deadline }: SendAttempt,
): Promise<SendResult> {
  const body = bodyOf(message, now);
  const secrets = signingSecrets(settings.secret);
  try {
    const answer = await http.request({
      url: settings.webhook_url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': message.uuid,
        ...signWebhook({ id: message.uuid, timestamp: now, body, secrets }),
      },
      body,
      maxResponseBytes: MAX_ANSWER_BYTES,
      signal: deadline,
    });
    if (answer.status < 200 || answer.status > 299) return failed(errorOf(answer, now));
    return { sent: true, providerId: messageIdIn(answer) };
  } catch (error) {
    return unanswered(error);
  }
}

const bodyOf = ({ uuid, type, text, url, buttons, chat }: OutgoingMessage, now: Date): string =>
  JSON.stringify({
    event_type: 'message',
    payload: {
      message: { uuid, type, text, url, buttons },
      chat: { uuid: chat.uuid, external_id: chat.externalId },
    },
    timestamp: now.getTime(),
  });

/**
 * Libraries read a secret as base64, with or without `whsec_`. A person who chose `s3cret` takes its characters as
 * the key. A secret without the prefix signs in both readings: a verifier accepts any of the given signatures.
 */
function signingSecrets(secret: string): string[] {
  if (secret.startsWith('whsec_')) return [secret];
  return [secret, `whsec_${Buffer.from(secret).toString('base64')}`];
}

/**
 * The receiver's own id, if it returned one that can be stored. Most responses are empty or `ok`, and are not parsed.
 */
function messageIdIn({ body }: OutboundAnswer): string | null {
  if (!body.includes('"message_id"')) return null;
  const answer = jsonIn(body);
  const id =
    typeof answer === 'object' && answer !== null && 'message_id' in answer ? answer.message_id : null;
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && isKeepable(text) ? text : null;
}

const isKeepable = (id: string): boolean =>
  id !== '' && id.length <= MAX_ID_LENGTH && id.isWellFormed() && !id.includes('\0');
