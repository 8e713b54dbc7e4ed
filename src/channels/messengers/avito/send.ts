import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { attachmentOf } from '../../contract/attachment.ts';
import type { SendError } from '../../contract/errors.ts';
import { unanswered } from '../../contract/failure.ts';
import { callAvito, jsonBody } from './api.ts';
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
  const content = await contentOf(message, settings, client, attempt);
  if ('code' in content) return { sent: false, error: content };
  const chat = `v1/accounts/${settings.user_id}/chats/${encodeURIComponent(message.chat.externalId)}`;
  try {
    const path = `${chat}/${content.path}`;
    const body = jsonBody(content.body);
    const answer = await callAvito(client, settings, { method: 'POST', path, body, signal, now });
    if (!answer.ok) return { sent: false, error: errorOf(answer) };
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? answer.body.id : null };
  } catch (error) {
    return unanswered(error);
  }
}

async function contentOf(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<Content | SendError> {
  if (message.type !== 'image') {
    return { path: 'messages', body: { message: { text: message.text ?? '' }, type: 'text' } };
  }
  const uploaded = await upload(message.url, settings, client, attempt);
  if (typeof uploaded === 'string') return { path: 'messages/image', body: { image_id: uploaded } };
  // Nothing has been sent yet.
  return uploaded.code === 'temporary' ? { ...uploaded, mayHaveBeenSent: false } : uploaded;
}

/** Avito accepts pictures as uploads only. Returns the id of the picture. */
async function upload(
  url: string | null,
  settings: Settings,
  client: Client,
  { deadline: signal, now }: SendAttempt,
): Promise<string | SendError> {
  const picture = await attachmentOf(url, client, signal);
  if (picture === null) return { code: 'bad_content', detail: 'The picture has no address.' };
  if ('code' in picture) return picture;
  const form = new FormData();
  const { bytes, type, name } = picture;
  form.append('uploadfile[]', new Blob([new Uint8Array(bytes)], { type }), name);
  const encoded = new Response(form);
  const body = {
    type: encoded.headers.get('content-type') ?? '',
    bytes: Buffer.from(await encoded.arrayBuffer()),
  };
  try {
    const path = `v1/accounts/${settings.user_id}/uploadImages`;
    const answer = await callAvito(client, settings, { method: 'POST', path, body, signal, now });
    if (!answer.ok) return errorOf(answer);
    const [id] = Value.Check(Uploaded, answer.body) ? Object.keys(answer.body) : [];
    return id ?? { code: 'bad_content', detail: 'Avito did not keep the picture.' };
  } catch (error) {
    const result = unanswered(error);
    if (result.sent) throw error;
    return result.error;
  }
}
