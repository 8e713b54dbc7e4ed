import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { callGraph } from '../../shared/graph.ts';
import { contentOf } from './content.ts';
import { errorOf } from './refusals.ts';
import { type Settings, usualRoot } from './settings.ts';

const Sent = Type.Object({ messages: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }) });

const unfit =
  'WhatsApp takes a text with up to three replies, a list of up to ten, or one link with a text of 1,024 characters.';

/** The message's uuid returns with every receipt. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  { deadline, now }: SendAttempt,
): Promise<SendResult> {
  const content = contentOf(message);
  if (!content) return failed({ code: 'bad_content', detail: unfit });
  const body = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(message.chat.externalId),
    biz_opaque_callback_data: message.uuid,
    ...content,
  };
  const path = `${settings.phone_number_id}/messages`;
  try {
    const answer = await callGraph(client, settings, usualRoot, {
      method: 'POST',
      path,
      body,
      signal: deadline,
      now,
    });
    if (!answer.ok) return failed(errorOf(answer));
    return {
      sent: true,
      providerId: Value.Check(Sent, answer.body) ? (answer.body.messages[0]?.id ?? null) : null,
    };
  } catch (error) {
    return unanswered(error);
  }
}

/** A client without a known number is addressed by their id. */
const recipientOf = (externalId: string): object =>
  externalId.startsWith('+') ? { to: externalId.slice(1) } : { recipient: externalId };
