import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import type { SendError } from '../../contract/errors.ts';
import { unanswered } from '../../contract/failure.ts';
import { UnfitFile } from '../../shared/file.ts';
import { callMax, type MaxAnswer, MaxRefused } from './api.ts';
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
  const media = await mediaOf(message, settings, client, attempt);
  if (!Array.isArray(media)) return media;
  const attachments = [...media, ...keyboard];
  const body = { text: message.text ?? '', ...(attachments.length > 0 && { attachments }) };
  const query = { user_id: message.chat.externalId };
  const post = () =>
    callMax(client, settings, {
      method: 'POST',
      path: 'messages',
      query,
      body,
      signal: attempt.deadline,
      now: attempt.now,
    });
  try {
    const answer = await whenReady(post, attempt.deadline);
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? answer.body.message.body.mid : null };
  } catch (error) {
    return unanswered(error);
  }
}

const failed = (error: SendError): SendResult => ({ sent: false, error });

/** The attachment of a picture or a file. After a failed upload, nothing has been sent. */
async function mediaOf(
  { type, url }: OutgoingMessage,
  settings: Settings,
  client: Client,
  { deadline: signal, now }: SendAttempt,
): Promise<object[] | SendResult> {
  if (type === 'image') return [{ type: 'image', payload: { url } }];
  if (type !== 'document' || !url) return [];
  try {
    const token = await upload(client, settings, { url, signal, now });
    return [{ type: 'file', payload: { token } }];
  } catch (error) {
    if (error instanceof UnfitFile) return failed({ code: 'bad_content', detail: error.message });
    const result = error instanceof MaxRefused ? failed(errorOf(error.answer)) : unanswered(error);
    if (result.sent || result.error.code !== 'temporary') return result;
    return failed({ ...result.error, mayHaveBeenSent: false });
  }
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
