import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { constantTimeEqual } from '../../../platform/secrets/secret.ts';
import type { InboundEvent, InboundFile, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { type Content, contentsOf, messageOf, messagesOf } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import {
  type Attachment,
  Consent,
  Envelope,
  type Forwarded,
  isAttachment,
  isForwarded,
  type Message,
  NewMessage,
  type Page,
  Press,
  Read,
} from './event.ts';
import { payloadIn } from './keyboard.ts';
import type { Settings } from './settings.ts';

/** Unknown events are answered `ok` too: VK repeats an event without it, and then stops calling. */
export function receive({ body }: InboundRequest, settings: Settings): Verdict {
  const event = jsonIn(body);
  if (event === undefined) return { accepted: false, status: 400 };
  if (!Value.Check(Envelope, event) || !isAuthentic(event, settings)) return { accepted: false, status: 403 };
  const { confirmation } = settings;
  if (event.type === 'confirmation' && confirmation) return answered(confirmation, []);
  return answered('ok', eventsOf(event));
}

const answered = (body: string, events: InboundEvent[]): Verdict => ({
  accepted: true,
  events,
  answer: () => ({ body }),
});

/** The confirmation request may lack the secret, which VK does not know yet. */
function isAuthentic({ type, group_id, secret }: Envelope, settings: Settings): boolean {
  if (String(group_id) !== settings.group_id) return false;
  if (secret === undefined) return type === 'confirmation';
  return settings.secret !== undefined && constantTimeEqual(secret, settings.secret);
}

function eventsOf({ type, event_id, object }: Envelope): InboundEvent[] {
  if (type === 'message_new' && Value.Check(NewMessage, object))
    return messageEvents(object.message, event_id);
  if (type === 'message_event' && Value.Check(Press, object)) return pressEvents(object);
  if (type === 'message_read' && Value.Check(Read, object)) {
    const message = { chat: String(object.from_id), upTo: String(object.read_message_id) };
    return [{ kind: 'receipt', message, state: 'read', detail: '' }];
  }
  if ((type === 'message_deny' || type === 'message_allow') && Value.Check(Consent, object)) {
    const kind = type === 'message_deny' ? 'stopped' : 'returned';
    return [{ kind, chat: { externalId: String(object.user_id) } }];
  }
  return [];
}

/** Only a conversation with one person is a client's. */
function messageEvents(message: Message, eventId: string | undefined): InboundEvent[] {
  const externalId = String(message.from_id);
  if (externalId !== String(message.peer_id) || externalId.startsWith('-')) return [];
  const id = eventId || `${externalId}:${message.conversation_message_id ?? message.id ?? ''}`;
  const [first, ...others] = saidIn(message);
  if (!first) return [];
  const contents = [{ ...first, ...(message.ref && { ref: message.ref }) }, ...others];
  return messagesOf({ externalId }, id, contents);
}

/** The contents of a message and of those that it forwards. */
function saidIn({ payload, geo, fwd_messages = [], ...own }: Message): Content[] {
  if (payload !== undefined) return [{ type: 'button', text: own.text || null, payload: payloadIn(payload) }];
  const parts = [own, ...fwd_messages.filter(isForwarded)];
  const found = parts.flatMap(({ attachments = [] }) => attachments.filter(isAttachment));
  const place = geo?.coordinates ? `${geo.coordinates.latitude}, ${geo.coordinates.longitude}` : null;
  return contentsOf([...parts.map(textOf), place], found.flatMap(fileOf));
}

/** The text with the words for its attachments. A link in the text is attached too. */
const textOf = ({ text = '', attachments = [] }: Forwarded): string =>
  [
    text,
    ...attachments
      .filter(isAttachment)
      .filter(({ link }) => !link?.url || !text.includes(link.url))
      .map(wordsOf),
  ]
    .filter(Boolean)
    .join('\n');

function fileOf({ photo, sticker, graffiti, doc, audio_message }: Attachment): Content[] {
  const picture = largest(photo?.sizes ?? sticker?.images ?? []) ?? graffiti?.url;
  if (picture) return [{ type: 'image', file: { url: picture } }];
  const url = doc?.url ?? audio_message?.link_mp3 ?? audio_message?.link_ogg;
  if (!url) return [];
  const file: InboundFile = { url, ...(doc?.title && { name: doc.title }) };
  return [{ type: 'document', file }];
}

const largest = (sizes: readonly { url: string; width?: number; height?: number }[]): string | undefined =>
  sizes.toSorted((a, b) => (b.width ?? 0) * (b.height ?? 0) - (a.width ?? 0) * (a.height ?? 0))[0]?.url;

/** A text for content without an equivalent type. */
function wordsOf({ link, video, wall, market, story, audio, poll }: Attachment): string {
  if (link) return [link.title, link.url].filter(Boolean).join(' ');
  if (audio) return [audio.artist, audio.title].filter(Boolean).join(' – ');
  if (poll) return poll.question ?? '';
  if (video) return pageOf('video', video);
  if (wall) return pageOf('wall', wall);
  if (market) return pageOf('product', market);
  return story ? pageOf('story', story) : '';
}

const pageOf = (kind: string, { id, owner_id, to_id, title, text }: Page): string =>
  [title || text, `https://vk.com/${kind}${owner_id ?? to_id ?? ''}_${id}`].filter(Boolean).join(' ');

function pressEvents({ user_id, peer_id, event_id, payload }: Static<typeof Press>): InboundEvent[] {
  const externalId = String(user_id);
  if (externalId !== String(peer_id)) return [];
  const press = { type: 'button' as const, payload: payloadIn(payload) };
  return [
    messageOf({ externalId }, `press:${event_id}`, press),
    { kind: 'pressed', press: { event_id, user_id: externalId, peer_id: externalId } },
  ];
}
