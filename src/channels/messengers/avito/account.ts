import Type from 'typebox';
import { Value } from 'typebox/value';
import type { AwaitedChat, Client, FileRequest } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { given } from '../../shared/answer.ts';
import { type AvitoCall, callAvito, jsonOf } from './api.ts';
import type { Settings } from './settings.ts';

const Self = Type.Object({
  id: Type.Union([Type.Integer(), Type.String()]),
  name: Type.Optional(Type.String()),
});

/** The account of the keys, if Avito tells it. Throws text for people if it is another one. */
export async function askForSelf(
  settings: Settings,
  client: Client,
): Promise<Type.Static<typeof Self> | null> {
  const call: AvitoCall = { method: 'GET', part: 'core', path: 'v1/accounts/self' };
  const answer = await callAvito(client, settings, call);
  if (!answer.ok || !Value.Check(Self, answer.body)) return null;
  const { id } = answer.body;
  if (String(id) === settings.user_id) return answer.body;
  throw new ForPeople(`user_id is not the account of these keys. Avito: its number is ${id}.`);
}

/** Gives Avito our address, which it may test at once. It belongs to the account of the keys, whatever `user_id` is. */
export async function setup(settings: Settings, address: string, client: Client): Promise<Partial<Settings>> {
  await askForSelf(settings, client);
  const sent = jsonOf({ url: address });
  given(await callAvito(client, settings, { method: 'POST', path: 'v3/webhook', sent }), 'Avito');
  return {};
}

const Voices = Type.Object({ voices_urls: Type.Record(Type.String(), Type.String()) });

/** The address of a voice message expires after an hour. */
export async function locateFile(
  reference: string,
  settings: Settings,
  client: Client,
): Promise<FileRequest> {
  const path = `v1/accounts/${settings.user_id}/getVoiceFiles`;
  const query = { voice_ids: reference };
  const found = given(await callAvito(client, settings, { method: 'GET', path, query }), 'Avito');
  const url = Value.Check(Voices, found) ? found.voices_urls[reference] : undefined;
  if (!url) throw new ForPeople('Avito named no address of the voice message.');
  return { url };
}

const Message = Type.Object({
  id: Type.String(),
  is_read: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  isRead: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  read: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});

/** The documentation has a list. The real response may wrap it in an object. */
const Page = Type.Union([Type.Array(Message), Type.Object({ messages: Type.Array(Message) })]);

const PAGE = 100;
const LAST_OFFSET = 1_000;
const CHATS_AT_ONCE = 10;

class SlowedDown extends ForPeople {}

/**
 * Reads the messages of each chat. A chat that fails delays no other. After a rate limit, or ten failures together,
 * Avito is not called until the next round.
 */
export async function pollReceipts(
  awaited: readonly AwaitedChat[],
  settings: Settings,
  client: Client,
): Promise<InboundEvent[]> {
  const events: InboundEvent[] = [];
  const failures: unknown[] = [];
  for (let from = 0; from < awaited.length; from += CHATS_AT_ONCE) {
    const chats = awaited.slice(from, from + CHATS_AT_ONCE);
    const asked = await Promise.allSettled(chats.map((chat) => readIn(chat, settings, client)));
    events.push(...asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
    const failed = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    failures.push(...failed);
    if (failed.length === chats.length || failed.some((reason) => reason instanceof SlowedDown)) break;
  }
  if (events.length === 0 && failures.length > 0) throw failures[0];
  return events;
}

/** A chat that Avito no longer shows has no receipts, and delays no other. */
async function readIn(
  { externalId, messages }: AwaitedChat,
  settings: Settings,
  client: Client,
): Promise<InboundEvent[]> {
  const wanted = new Set(messages.flatMap(({ providerId }) => providerId ?? []));
  const read: string[] = [];
  const path = `v3/accounts/${settings.user_id}/chats/${encodeURIComponent(externalId)}/messages/`;
  for (let offset = 0; wanted.size > 0 && offset <= LAST_OFFSET; offset += PAGE) {
    const query = { limit: String(PAGE), offset: String(offset) };
    const answer = await callAvito(client, settings, { method: 'GET', path, query });
    if (!answer.ok && answer.code === 404) break;
    if (!answer.ok && answer.status === 429) throw new SlowedDown(`Avito refused: ${answer.detail}`);
    const page = given(answer, 'Avito');
    if (!Value.Check(Page, page)) throw new ForPeople('Avito gave no list of messages.');
    const found = Array.isArray(page) ? page : page.messages;
    for (const message of found) {
      if (wanted.delete(message.id) && isRead(message)) read.push(message.id);
    }
    if (found.length < PAGE) break;
  }
  return read.map((providerId) => ({ kind: 'receipt', message: { providerId }, state: 'read', detail: '' }));
}

const isRead = ({ is_read, isRead: alsoRead, read }: Type.Static<typeof Message>): boolean =>
  is_read === true || alsoRead === true || (typeof read === 'number' && read > 0);
