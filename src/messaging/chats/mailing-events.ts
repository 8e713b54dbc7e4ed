import type { Event } from '../../events/types.ts';
import {
  type ChatFacts,
  type MailingReactionType,
  presentMailingReaction,
  presentMailingState,
} from './present.ts';
import type { MessageState } from './rules.ts';

/** The state of a mailing's message as the project's own webhook reports it. Other states are not reported. */
const toldStates: { readonly [State in MessageState]?: 'sent' | 'undelivered' | 'delivered' | 'read' } = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  UNDELIVERED: 'undelivered',
  ERROR: 'undelivered',
};

/** Columns of `messages`. */
type MailingMessage = { project_id: string; mailing_id: string };

/** A mailing's message has reached another state. States that are not reported make no event. */
export function mailingStates(message: MailingMessage, chat: ChatFacts, state: MessageState): Event[] {
  const told = toldStates[state];
  if (!told) return [];
  return [
    {
      type: 'mailing.state',
      projectId: message.project_id,
      chatId: chat.id,
      platform: chat.platform,
      payload: presentMailingState(message.mailing_id, chat, told),
    },
  ];
}

/** A client has reacted to a mailing's message. The reaction and its event share a uuid. */
export const mailingReaction = (
  uuid: string,
  projectId: string,
  chat: Pick<ChatFacts, 'id' | 'platform'>,
  type: MailingReactionType,
): Event => ({
  type: 'mailing.reaction',
  projectId,
  chatId: chat.id,
  platform: chat.platform,
  payload: presentMailingReaction(uuid, chat, type),
});
