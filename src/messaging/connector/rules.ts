import { type Platform, platforms } from '../../channels/contract/platforms.ts';
import { capabilitiesOf, contentKindOf, ownerOfContent, platformsWhere } from '../../channels/registry.ts';
import { isTooLarge, mostKept } from '../../platform/http/fields.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import { type ConnectorEvent, type Message, type MessageType, messageTypes } from './schema.ts';

/** The required field of a message of this type. Source: docs/contract.md, section 6. */
function needsOf(type: MessageType): 'text' | 'url' | 'whatsapp_template' {
  switch (contentKindOf(type)) {
    case 'image':
    case 'document':
      return 'url';
    case 'template':
      return 'whatsapp_template';
    case 'text':
    case 'node':
    case null:
      return 'text';
  }
}

/** An event with the data of its kind. */
export type Task =
  | { event: 'message_created'; message: Message }
  | { event: 'note_created'; text: string }
  | { event: 'session_closed'; category: string | null; theme: string | null };

/** Checks the rules across an event's fields. Throws `Invalid`. */
export function taskOf({ event, chat, message, note, session }: ConnectorEvent): Task {
  if (!chat.uuid && !chat.phone_number && !chat.username) throw missing({ chat: 'uuid' });
  switch (event) {
    case 'message_created': {
      if (!message) throw missing('message');
      const needs = needsOf(message.type);
      if (!message[needs]) throw missing({ message: needs });
      if (isTooLarge(message.whatsapp_template?.template_variables)) throw tooLarge;
      return { event, message };
    }
    case 'note_created':
      if (!note) throw missing('note');
      return { event, text: note.text };
    case 'session_closed':
      return { event, category: session?.category_name ?? null, theme: session?.theme_name ?? null };
  }
}

const tooLarge = new Invalid({
  message: { whatsapp_template: { template_variables: [messages.maxLength(mostKept)] } },
});

function missing(field: string | { [parent: string]: string }): Invalid {
  if (typeof field === 'string') return new Invalid({ [field]: [messages.required] });
  const nested = Object.entries(field).map(([parent, child]) => [parent, { [child]: [messages.required] }]);
  return new Invalid(Object.fromEntries(nested));
}

/** Whether a chat on this platform can take a message of this type. */
export function fits(type: MessageType, platform: Platform): boolean {
  const owner = ownerOfContent(type);
  if (owner !== null) return owner === platform;
  const kind = contentKindOf(type);
  return capabilitiesOf(platform).carries.some((carried) => carried === kind);
}

/** The platforms on which the chat of a phone number is searched. Null: the event is not a message. */
export const platformsFor = (type: MessageType | null): readonly Platform[] =>
  type ? platforms.filter((platform) => fits(type, platform)) : platforms;

/** The platforms that the connector has types for. */
const startedByPhone = platformsWhere(
  ({ opensBy, ownContent }) =>
    opensBy.includes('phone') && messageTypes.some((type) => Object.hasOwn(ownContent, type)),
);

/** The platforms on which a chat opens for a phone number without one, in order of preference. */
export function opensByPhone(type: MessageType | null): readonly Platform[] {
  const only = type && ownerOfContent(type);
  return only ? [only] : startedByPhone;
}

export const opensByUsername = platformsWhere(({ opensBy }) => opensBy.includes('username'));
