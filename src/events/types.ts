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

/** Something that partners hear of. `payload` is what the contract shows, already presented. */
export type Event = {
  type: EventType;
  projectId: string;
  chatId: string;
  /** Null where there is no chat: then no endpoint's choice of platforms leaves it out. */
  platform: string | null;
  payload: object;
  /** An integration does not hear of what it did itself. */
  exceptApplicationId?: string | null;
};
