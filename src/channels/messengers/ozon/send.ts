import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { type Attachment, attachmentOf } from '../../contract/attachment.ts';
import type { SendError } from '../../contract/errors.ts';
import { unanswered } from '../../contract/failure.ts';
import { callOzon } from './api.ts';
import { findSent } from './history.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

/** The content to send, and how the history shows it. */
type Content = { path: string; body: object; isIt(said: string): boolean };

/** Ozon has no idempotency key, and its response contains no id. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  { deadline: signal, now }: SendAttempt,
): Promise<SendResult> {
  const chat_id = message.chat.externalId;
  const content = await contentOf(message, client, signal);
  if ('code' in content) return { sent: false, error: content };
  try {
    const body = { chat_id, ...content.body };
    const answer = await callOzon(client, settings, { path: content.path, body, signal, now });
    if (!answer.ok) return { sent: false, error: errorOf(answer) };
  } catch (error) {
    return unanswered(error);
  }
  const wanted = { chat: chat_id, isIt: content.isIt, since: now };
  return { sent: true, providerId: await findSent(client, settings, wanted, signal) };
}

async function contentOf(
  { type, text, url }: OutgoingMessage,
  client: Client,
  signal: AbortSignal,
): Promise<Content | SendError> {
  if (type === 'text') {
    const own = text ?? '';
    return {
      path: '/v1/chat/send/message',
      body: { text: own },
      isIt: (said) => plain(said) === plain(own),
    };
  }
  const file = await attachmentOf(url, client, signal);
  if (file === null) return { code: 'bad_content', detail: 'The file has no address.' };
  if ('code' in file) return file;
  const name = nameOf(file);
  return {
    path: '/v1/chat/send/file',
    body: { base64_content: file.bytes.toString('base64'), name },
    isIt: (said) => said.includes(name) || said.includes(encodeURIComponent(name)),
  };
}

/** Ozon recognizes the type of a file by the extension. */
const nameOf = ({ name, type }: Attachment): string =>
  name.includes('.') ? name : `${name}.${type.split('/').at(-1)}`;

/** The history is in Markdown, which escapes characters. */
const plain = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1').trim();
