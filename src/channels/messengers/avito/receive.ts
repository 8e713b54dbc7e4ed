import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { InboundEvent, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { messageOf, type Content as Said } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import type { Settings } from './settings.ts';

const maybe = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]));
const maybeText = maybe(Type.String());

/** Exact: a number, or the digits of one that is too large. */
const Id = Type.Union([Type.Integer(), Type.String({ minLength: 1 })]);

const Content = Type.Object({
  text: maybeText,
  image: maybe(Type.Object({ sizes: maybe(Type.Record(Type.String(), Type.Unknown())) })),
  voice: maybe(Type.Object({ voice_id: maybeText })),
  location: maybe(
    Type.Object({ lat: maybe(Type.Number()), lon: maybe(Type.Number()), title: maybeText, text: maybeText }),
  ),
  link: maybe(Type.Object({ text: maybeText, url: maybeText })),
  item: maybe(Type.Object({ title: maybeText, price_string: maybeText, item_url: maybeText })),
});

/** Source: developers.avito.ru, "Включение уведомлений V3". */
const Hook = Type.Object({
  payload: Type.Object({
    type: Type.Literal('message'),
    value: Type.Object({
      id: Type.String({ minLength: 1 }),
      chat_id: Type.String({ minLength: 1 }),
      user_id: Type.Optional(Id),
      author_id: Id,
      type: Type.String(),
      content: Content,
    }),
  }),
});

/** Unknown notifications are accepted too: Avito tests a new address with `{}`. */
export function receive({ body }: InboundRequest, { user_id: account }: Settings): Verdict {
  const hook = jsonIn(body);
  if (hook === undefined) return { accepted: false, status: 400 };
  const value = Value.Check(Hook, hook) ? hook.payload.value : null;
  return { accepted: true, events: value ? eventsOf(value, account) : [] };
}

/** Our own messages return, and Avito's bots write into chats too. */
function eventsOf(
  { id, chat_id, user_id, author_id, type, content }: Static<typeof Hook>['payload']['value'],
  account: string,
): InboundEvent[] {
  const author = String(author_id);
  if (type === 'system' || author === account || author === String(user_id ?? account)) return [];
  const said = saidIn(content);
  if (!said) return [];
  return [messageOf({ externalId: chat_id }, id, said)];
}

function saidIn(content: Static<typeof Content>): Said | null {
  const { image, voice } = content;
  const words = wordsIn(content);
  const picture = largest(image?.sizes ?? {});
  if (picture) return { type: 'image', text: words, file: { url: picture } };
  if (voice?.voice_id) {
    return { type: 'document', text: words, file: { reference: voice.voice_id, name: 'voice.mp4' } };
  }
  return words === null ? null : { type: 'text', text: words };
}

/** Repeated parts appear once, such as an address that is its own text. */
function wordsIn({ text, location, link, item }: Static<typeof Content>): string | null {
  const place = location && [location.title, location.text, pointOf(location)];
  const parts = [
    text,
    ...(place ?? []),
    link?.text,
    link?.url,
    item?.title,
    item?.price_string,
    item?.item_url,
  ];
  return [...new Set(parts.filter(Boolean))].join('\n') || null;
}

const pointOf = ({ lat, lon }: { lat?: number | null; lon?: number | null }): string | null =>
  typeof lat === 'number' && typeof lon === 'number' ? `${lat}, ${lon}` : null;

/** By sizes such as `1280x960`. */
const largest = (sizes: Record<string, unknown>): string | undefined =>
  Object.entries(sizes)
    .toSorted(([a], [b]) => areaOf(b) - areaOf(a))
    .map(([, url]) => url)
    .find((url) => typeof url === 'string');

function areaOf(size: string): number {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return width * height || 0;
}
