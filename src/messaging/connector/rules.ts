import type { CarriedType } from '../../channels/contract/capabilities.ts';
import { type Platform, platforms } from '../../channels/contract/platforms.ts';
import { adapterFor } from '../../channels/registry.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import type { ConnectorEvent, Message, MessageType } from './schema.ts';

type Kind = {
  carriedAs: CarriedType;
  needs: 'text' | 'url' | 'whatsapp_template';
  /** The only platform for messages of this type; null where any that can carry it will do. */
  platform: Platform | null;
};

/** Source: docs/contract.md, section 6. */
const kinds: Record<MessageType, Kind> = {
  text: { carriedAs: 'text', needs: 'text', platform: null },
  image: { carriedAs: 'image', needs: 'url', platform: null },
  document: { carriedAs: 'document', needs: 'url', platform: null },
  whatsapp_template: { carriedAs: 'template', needs: 'whatsapp_template', platform: 'Whatsapp' },
  whatsapp_text: { carriedAs: 'text', needs: 'text', platform: 'Whatsapp' },
  telegram_personal_text: { carriedAs: 'text', needs: 'text', platform: 'Telegram_Personal' },
};

/** An event with what its kind brings. */
export type Task =
  | { event: 'message_created'; message: Message }
  | { event: 'note_created'; text: string }
  | { event: 'session_closed'; category: string | null; theme: string | null };

/** Holds an event to the rules across its fields. Throws `Invalid`. */
export function taskOf({ event, chat, message, note, session }: ConnectorEvent): Task {
  if (!chat.uuid && !chat.phone_number && !chat.username) throw missing({ chat: 'uuid' });
  switch (event) {
    case 'message_created': {
      if (!message) throw missing('message');
      const { needs } = kinds[message.type];
      if (!message[needs]) throw missing({ message: needs });
      return { event, message };
    }
    case 'note_created':
      if (!note) throw missing('note');
      return { event, text: note.text };
    case 'session_closed':
      return { event, category: session?.category_name ?? null, theme: session?.theme_name ?? null };
  }
}

function missing(field: string | { [parent: string]: string }): Invalid {
  if (typeof field === 'string') return new Invalid({ [field]: [messages.required] });
  const nested = Object.entries(field).map(([parent, child]) => [parent, { [child]: [messages.required] }]);
  return new Invalid(Object.fromEntries(nested));
}

/** Whether a chat on this platform can take a message of this type. */
export function fits(type: MessageType, platform: Platform): boolean {
  const kind = kinds[type];
  if (kind.platform !== null && kind.platform !== platform) return false;
  return adapterFor(platform)?.carries.includes(kind.carriedAs) ?? true;
}

/** The platforms among which the chat of a phone number is looked for; null: what is sent is no message. */
export const platformsFor = (type: MessageType | null): readonly Platform[] =>
  type ? platforms.filter((platform) => fits(type, platform)) : platforms;

/** The platforms on which a chat is opened for a phone number that has none, the first choice first. */
export function opensByPhone(type: MessageType | null): readonly Platform[] {
  const only = type && kinds[type].platform;
  return only ? [only] : ['Whatsapp', 'Telegram_Personal'];
}
