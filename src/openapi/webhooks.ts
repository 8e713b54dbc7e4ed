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
    summary: 'Confirms an address before it is set. The receiver must respond with 200.',
    payload: Confirmation,
  },
  message_created: { summary: 'A client sent a message.', payload: MessageCreated },
  message_updated: { summary: 'The state of a message changed.', payload: MessageUpdated },
  operator_replied: {
    summary: 'An operator sent a message. An integration gets no events for its own messages.',
    payload: OperatorReplied,
  },
  session_updated: {
    summary: 'A session with operators opened or was transferred.',
    payload: SessionUpdated,
  },
  'stream.status': { summary: 'The state of a stream task changed.', payload: StreamStatus },
  'stream.reaction': { summary: 'A client reacted to a message of the stream.', payload: StreamReaction },
  'mailing.state': {
    summary: "The state of a mailing message changed. Sent to the project's own webhook.",
    payload: MailingState,
    seconds: true,
  },
  'mailing.reaction': {
    summary: "A recipient reacted to a mailing. Sent to the project's own webhook.",
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
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: { '2XX': { description: 'The event is received. The response body is ignored.' } },
  };
}

const header = (name: string, description: string, required = true): Parameter => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

const headers: Parameter[] = [
  header('webhook-id', 'The event id, the same for every attempt.'),
  header('webhook-timestamp', 'Unix time of this attempt, in seconds.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. While a secret is being replaced, two signatures.',
  ),
  header(
    'traceparent',
    'The trace that the event belongs to, as W3C Trace Context defines. Absent if this host records none.',
    false,
  ),
];
