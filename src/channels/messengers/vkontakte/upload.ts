import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { OutgoingMessage, SendAttempt } from '../../contract/adapter.ts';
import { Unsent } from '../../contract/failure.ts';
import { fetchFile, formOf, type MessageFile, unfit } from '../../shared/file.ts';
import { jsonIn, textsOf } from '../../shared/json.ts';
import { callVk } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const MAX_ANSWER_BYTES = 64 * 1024;

const Server = Type.Object({ upload_url: Type.String({ minLength: 1 }) });
const Id = Type.Union([Type.Integer(), Type.String()]);
const Saved = Type.Object({ owner_id: Id, id: Id, access_key: Type.Optional(Type.String()) });
const SavedPhotos = Type.Array(Saved, { minItems: 1 });
const SavedDocument = Type.Object({ doc: Saved });
const Uploaded = Type.Record(Type.String(), Type.Unknown());

const MOST_MIB = 20;

/**
 * The codes for a missing right, and for a method that VK does not give to keys of a community. A key has each right
 * apart, so texts go on without this one.
 */
const lacksRight: ReadonlySet<number | null> = new Set([7, 15, 27]);

/** The rights of a key as VK's page names them. */
const rights = {
  image: '“Community photos” (Фотографии сообщества)',
  other: '“Community documents” (Документы сообщества)',
};

/** VK accepts files as uploads only. Returns the attachment's name for the message. Throws `Unsent`. */
export async function upload(
  { type, url, chat }: OutgoingMessage,
  settings: Settings,
  http: Outbound,
  { deadline: signal, now }: SendAttempt,
): Promise<string> {
  const right = rights[type === 'image' ? 'image' : 'other'];
  const call = async (method: string, parameters: Record<string, string>): Promise<unknown> => {
    const answer = await callVk(http, settings, { method, parameters, signal, now });
    if (answer.ok) return answer.body;
    if (!lacksRight.has(answer.code)) throw new Unsent(errorOf(answer));
    throw unfit(`The community’s key lacks a right: create one with ${right}. VK: ${answer.detail}`);
  };
  const peer = chat.externalId;
  const file = await fetchFile(http, url ?? '', { mostMiB: MOST_MIB, signal });
  if (type === 'image') {
    const server = await call('photos.getMessagesUploadServer', { peer_id: peer });
    const photo = await hand(http, server, 'photo', file, signal);
    const saved = await call('photos.saveMessagesPhoto', textsOf(photo));
    if (!Value.Check(SavedPhotos, saved)) throw unfit('VK did not save the photo.');
    return `photo${nameOf(saved[0])}`;
  }
  const server = await call('docs.getMessagesUploadServer', { type: 'doc', peer_id: peer });
  const document = await hand(http, server, 'file', file, signal);
  const saved = await call('docs.save', { ...textsOf(document), title: file.name });
  if (!Value.Check(SavedDocument, saved)) throw unfit('VK did not save the document.');
  return `doc${nameOf(saved.doc)}`;
}

const nameOf = (saved: Type.Static<typeof Saved> | undefined): string =>
  [`${saved?.owner_id}_${saved?.id}`, saved?.access_key].filter(Boolean).join('_');

/** Sends the bytes to VK's upload server, and returns its answer. */
async function hand(
  http: Outbound,
  server: unknown,
  field: string,
  file: MessageFile,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!Value.Check(Server, server)) throw unfit('VK named no upload server.');
  const { status, body } = await http.request({
    url: server.upload_url,
    method: 'POST',
    ...formOf(field, file),
    maxResponseBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const answer = jsonIn(body);
  if (status === 200 && Value.Check(Uploaded, answer) && !('error' in answer)) return answer;
  const detail = `VK's upload server answered ${status}.`;
  if (status < 500 && status !== 429) throw unfit(detail);
  throw new Unsent({ code: 'temporary', mayHaveBeenSent: false, detail });
}
