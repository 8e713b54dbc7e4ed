import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { type FetchedFile, fetchFile, formOf, UnfitFile } from '../../shared/file.ts';
import { jsonIn } from '../../shared/json.ts';
import { callVk, given, VkRefused } from './api.ts';
import type { Settings } from './settings.ts';

const MAX_ANSWER_BYTES = 64 * 1024;

const Server = Type.Object({ upload_url: Type.String({ minLength: 1 }) });
const Id = Type.Union([Type.Integer(), Type.String()]);
const Saved = Type.Object({ owner_id: Id, id: Id, access_key: Type.Optional(Type.String()) });
const SavedPhotos = Type.Array(Saved, { minItems: 1 });
const SavedDocument = Type.Object({ doc: Saved });
const Uploaded = Type.Record(Type.String(), Type.Unknown());

type Upload = { type: 'image' | 'document'; url: string; peer: string; signal: AbortSignal };

/** VK accepts files as uploads only. Returns the attachment's name for the message. */
export async function upload(
  http: Outbound,
  settings: Settings,
  { type, url, peer, signal }: Upload,
): Promise<string> {
  const call = async (method: string, parameters: Record<string, string>) =>
    given(await callVk(http, settings, { method, parameters, signal }));
  const file = await fetchFile(http, url, signal);
  if (type === 'image') {
    const server = await call('photos.getMessagesUploadServer', { peer_id: peer });
    const photo = await hand(http, server, 'photo', file, signal);
    const saved = await call('photos.saveMessagesPhoto', textsOf(photo));
    if (!Value.Check(SavedPhotos, saved)) throw new UnfitFile('VK did not save the photo.');
    return `photo${nameOf(saved[0])}`;
  }
  const server = await call('docs.getMessagesUploadServer', { type: 'doc', peer_id: peer });
  const document = await hand(http, server, 'file', file, signal);
  const saved = await call('docs.save', { ...textsOf(document), title: file.name });
  if (!Value.Check(SavedDocument, saved)) throw new UnfitFile('VK did not save the document.');
  return `doc${nameOf(saved.doc)}`;
}

const nameOf = (saved: Type.Static<typeof Saved> | undefined): string =>
  [`${saved?.owner_id}_${saved?.id}`, saved?.access_key].filter(Boolean).join('_');

/** Sends the bytes to VK's upload server, and returns its answer. */
async function hand(
  http: Outbound,
  server: unknown,
  field: string,
  file: FetchedFile,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!Value.Check(Server, server)) throw new UnfitFile('VK named no upload server.');
  const { status, body } = await http.request({
    url: server.upload_url,
    method: 'POST',
    ...(await formOf(field, file)),
    maxResponseBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const answer = jsonIn(body);
  if (status === 200 && Value.Check(Uploaded, answer) && !('error' in answer)) return answer;
  const detail = `VK's upload server answered ${status}.`;
  if (status >= 500 || status === 429)
    throw new VkRefused({ ok: false, status, code: null, detail, retryAfterMs: null });
  throw new UnfitFile(detail);
}

const textsOf = (parameters: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
