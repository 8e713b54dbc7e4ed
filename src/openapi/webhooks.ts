import Type, { type TSchema } from 'typebox';
import type { EventType } from '../events/types.ts';
import {
  Confirmation,
  MailingReaction,
  MailingState,
  MessageCreated,
  MessageUpdated,
  OperatorReplied,
  SessionUpdated,
  StreamReaction,
  StreamStatus,
} from '../messaging/chats/webhook-schemas.ts';
import { exampleOf } from './example.ts';
import type { SchemaWriter } from './schemas.ts';
import type { Document, Operation, Parameter } from './types.ts';

type Webhook = { summary: string; payload: TSchema; seconds?: true };

/** Source: docs/contract.md, section 8. */
const webhooks: Record<EventType | 'confirmation', Webhook> = {
  confirmation: {
    summary: 'Asks an address whether it is there, before it is set. Must be answered with 200.',
    payload: Confirmation,
  },
  message_created: { summary: 'A client has written.', payload: MessageCreated },
  message_updated: { summary: 'A message has reached another state.', payload: MessageUpdated },
  operator_replied: {
    summary: 'An operator has written. An integration does not hear of its own messages.',
    payload: OperatorReplied,
  },
  session_updated: {
    summary: 'A session with operators has opened, or was passed on.',
    payload: SessionUpdated,
  },
  'stream.status': { summary: 'A task of the stream has reached another state.', payload: StreamStatus },
  'stream.reaction': { summary: 'A client has reacted to a message of the stream.', payload: StreamReaction },
  'mailing.state': {
    summary: "A message of a mailing has reached another state. For the project's own webhook.",
    payload: MailingState,
    seconds: true,
  },
  'mailing.reaction': {
    summary: "A recipient has reacted to a mailing. For the project's own webhook.",
    payload: MailingReaction,
    seconds: true,
  },
};

/** The document's `webhooks`: each event with its envelope. */
export const describeWebhooks = (writer: SchemaWriter): Document['webhooks'] =>
  Object.fromEntries(
    Object.entries(webhooks).map(([name, webhook]) => [name, { post: operationOf(writer, name, webhook) }]),
  );

function operationOf(writer: SchemaWriter, name: string, { summary, payload, seconds }: Webhook): Operation {
  const envelope = Type.Object({
    event_type: Type.Literal(name),
    payload,
    timestamp: seconds
      ? Type.Number({ description: 'Unix seconds with a fraction.', examples: [1763611200.125] })
      : Type.Integer({ description: 'Unix milliseconds.', examples: [1763611200125] }),
  });
  const schema = writer.write(envelope);
  const example = exampleOf(schema, writer.components);
  return {
    operationId: name,
    summary,
    tags: ['Webhooks'],
    // The signature is the receiver's proof.
    security: [],
    parameters: signature,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: { '2XX': { description: 'Heard. The body is not looked at.' } },
  };
}

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const signature: Parameter[] = [
  header('webhook-id', "The event's id, the same at every attempt."),
  header('webhook-timestamp', 'Unix seconds of this attempt.'),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; two of them while a secret is being changed.',
  ),
];
