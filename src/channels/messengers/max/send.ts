import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { beforehand, failed, unanswered } from '../../contract/failure.ts';
import { callMax, type MaxAnswer, type MaxCall } from './api.ts';
import { keyboardOf } from './keyboard.ts';
import { errorOf, isUnready } from './refusals.ts';
import type { Settings } from './settings.ts';
import { upload } from './upload.ts';

const Sent = Type.Object({ message: Type.Object({ body: Type.Object({ mid: Type.String() }) }) });

const tooManyLinks = 'Max takes up to 90 buttons where one of them is a link.';

/** Max has no idempotency key and no receipts: a message ends at SENT. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<SendResult> {
  const keyboard = keyboardOf(message.buttons);
  if (!keyboard) return failed({ code: 'bad_content', detail: tooManyLinks });
  const { deadline: signal, now } = attempt;
  const query = { user_id: message.chat.externalId };
  try {
    const media = await beforehand(mediaOf(message, settings, client, attempt));
    const attachments = [...media, ...keyboard];
    const body = { text: message.text ?? '', ...(attachments.length > 0 && { attachments }) };
    const call: MaxCall = { method: 'POST', path: 'messages', query, body, signal, now };
    const answer = await whenReady(() => callMax(client, settings, call), signal);
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? answer.body.message.body.mid : null };
  } catch (error) {
    return unanswered(error);
  }
}

/** The attachment of a picture or a file. */
async function mediaOf(
  { type, url }: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<object[]> {
  if (type === 'image') return [{ type: 'image', payload: { url } }];
  if (type !== 'document' || !url) return [];
  return [{ type: 'file', payload: { token: await upload(url, settings, client, attempt) } }];
}

const pausesMs = [250, 500, 1_000, 2_000, 4_000];

/** An uploaded file becomes ready after a while. Another attempt would upload it again. */
async function whenReady(post: () => Promise<MaxAnswer>, deadline: AbortSignal): Promise<MaxAnswer> {
  for (const ms of pausesMs) {
    const answer = await post();
    if (answer.ok || !isUnready(answer)) return answer;
    await pause(ms, undefined, { signal: deadline }).catch(() => {});
    if (deadline.aborted) return answer;
  }
  return post();
}
