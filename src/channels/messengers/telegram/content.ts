import type { Content } from '../../shared/inbound.ts';
import type { Message } from './update.ts';

/** The content of a client's message. Null for service messages, such as a pinned message or a new title. */
export function contentOf(message: Message): Content | null {
  const { caption = null } = message;
  if (message.text !== undefined) return { ...text(message.text), ...startIn(message.text) };
  const picture = message.photo?.at(-1);
  if (picture) return { type: 'image', text: caption, file: { reference: picture.file_id } };
  const file = fileOf(message);
  if (file) {
    const { file_id: reference, file_name: name } = file;
    return { type: 'document', text: caption, file: { reference, ...(name && { name }) } };
  }
  const words = wordsFor(message);
  return words === null ? null : text(words);
}

/** A link with a parameter starts the bot by this text. */
function startIn(words: string): { ref?: string } {
  const ref = /^\/start (\S+)$/.exec(words)?.[1];
  return ref === undefined ? {} : { ref };
}

const text = (words: string): Content => ({ type: 'text', text: words });

const fileOf = ({ animation, document, video, video_note, voice, audio }: Message) =>
  animation ?? document ?? video ?? video_note ?? voice ?? audio;

/** A text for content without an equivalent type. A venue has a location too, and more data. */
function wordsFor({ sticker, dice, poll, venue, location, contact }: Message): string | null {
  if (sticker) return sticker.emoji || 'Sticker';
  if (dice) return dice.emoji;
  if (poll) return poll.question;
  if (venue) return `${venue.title}, ${venue.address}`;
  if (location) return `${location.latitude}, ${location.longitude}`;
  if (contact) return [contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(' ');
  return null;
}
