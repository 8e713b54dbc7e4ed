import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { callGraph } from '../graph.ts';
import type { GraphAccount } from './account.ts';
import { contentOf, unfit } from './content.ts';
import { errorOf } from './refusals.ts';

const Sent = Type.Object({ message_id: Type.String({ minLength: 1 }) });

const DAY_MS = 24 * 3_600_000;

/** The client's message opens a window of a day. For seven days, a person's answer may have a tag beyond it. */
function kindOf({ answers, byPerson }: OutgoingMessage, now: Date): object {
  const age = answers ? now.getTime() - answers.at.getTime() : 0;
  return byPerson && age >= DAY_MS && age < 7 * DAY_MS
    ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }
    : { messaging_type: 'RESPONSE' };
}

/** Meta has no idempotency key. */
export async function sendBy(
  account: GraphAccount | Promise<GraphAccount>,
  outgoing: OutgoingMessage,
  client: Client,
  { deadline, now }: SendAttempt,
): Promise<SendResult> {
  const message = contentOf(outgoing);
  if (!message) return failed({ code: 'bad_content', detail: unfit });
  const body = { recipient: { id: outgoing.chat.externalId }, ...kindOf(outgoing, now), message };
  try {
    const { settings, usualRoot } = await account;
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
