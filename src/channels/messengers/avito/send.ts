import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { beforehand, failed, Unsent, unanswered } from '../../contract/failure.ts';
import { fetchFile, formOf, unfit } from '../../shared/file.ts';
import { type AvitoCall, callAvito, jsonOf } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const Sent = Type.Object({ id: Type.String({ minLength: 1 }) });
/** By the ids of the pictures. */
const Uploaded = Type.Record(Type.String(), Type.Unknown());

type Content = { path: string; body: object };

/** Avito has no idempotency key. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<SendResult> {
  const { deadline: signal, now } = attempt;
  const chat = `v1/accounts/${settings.user_id}/chats/${encodeURIComponent(message.chat.externalId)}`;
  try {
    const content = await beforehand(contentOf(message, settings, client, attempt));
    const call: AvitoCall = { method: 'POST', path: `${chat}/${content.path}`, sent: jsonOf(content.body) };
    const answer = await callAvito(client, settings, { ...call, signal, now });
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? answer.body.id : null };
  } catch (error) {
    return unanswered(error);
  }
}

async function contentOf(
  { type, text, url }: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<Content> {
  if (type !== 'image') return { path: 'messages', body: { message: { text: text ?? '' }, type: 'text' } };
  return { path: 'messages/image', body: { image_id: await upload(url, settings, client, attempt) } };
}

const MOST_MIB = 25;

/** Avito accepts pictures as uploads only. Returns the id of the picture. Throws `Unsent`. */
async function upload(
  url: string | null,
  settings: Settings,
  client: Client,
  { deadline: signal, now }: SendAttempt,
): Promise<string> {
  if (url === null) throw unfit('The picture has no address.');
  const sent = formOf('uploadfile[]', await fetchFile(client, url, { mostMiB: MOST_MIB, signal }));
  const path = `v1/accounts/${settings.user_id}/uploadImages`;
  const answer = await callAvito(client, settings, { method: 'POST', path, sent, signal, now });
  if (!answer.ok) throw new Unsent(errorOf(answer));
  const [id] = Value.Check(Uploaded, answer.body) ? Object.keys(answer.body) : [];
  if (id === undefined) throw unfit('Avito did not keep the picture.');
  return id;
}
