/** Source: docs/contract.md, sections 8 and 9. */
export const integrationEventTypes = [
  'message_created',
  'message_updated',
  'operator_replied',
  'session_updated',
  'stream.status',
  'stream.reaction',
] as const;

export type IntegrationEventType = (typeof integrationEventTypes)[number];

export const projectEventTypes = ['mailing.state', 'mailing.reaction'] as const;

export type ProjectEventType = (typeof projectEventTypes)[number];

export type EventType = IntegrationEventType | ProjectEventType;

/** An event for partners. `payload` is the public form of the contract, already presented. */
export type Event = {
  type: EventType;
  projectId: string;
  chatId: string;
  /** Null without a chat. These events pass every endpoint's choice of platforms. */
  platform: string | null;
  payload: object;
  /** An integration does not get events of its own actions. */
  exceptApplicationId?: string | null;
  /** The trace that the event belongs to, if it is not the running one. */
  trace?: string | null;
};
