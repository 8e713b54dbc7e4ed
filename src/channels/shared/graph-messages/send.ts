import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { callGraph } from '../graph.ts';
import type { GraphAccount } from './account.ts';
import { contentOf, unfit } from './content.ts';
import { errorOf } from './refusals.ts';

const Sent = Type.Object({ message_id: Type.String({ minLength: 1 }) });

/** Meta has no idempotency key. */
export async function sendBy(
  { settings, usualRoot }: GraphAccount,
  outgoing: OutgoingMessage,
  client: Client,
  { deadline, now }: SendAttempt,
): Promise<SendResult> {
  const message = contentOf(outgoing);
  if (!message) return failed({ code: 'bad_content', detail: unfit });
  const body = { recipient: { id: outgoing.chat.externalId }, messaging_type: 'RESPONSE', message };
  try {
    const answer = await callGraph(client, settings, usualRoot, {
      method: 'POST',
      path: 'me/messages',
      body,
      signal: deadline,
      now,
    });
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? answer.body.message_id : null };
  } catch (error) {
    return unanswered(error);
  }
}
