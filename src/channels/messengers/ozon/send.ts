import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { fetchFile, type MessageFile, unfit } from '../../shared/file.ts';
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
  try {
    const content = await contentOf(message, client, signal);
    const body = { chat_id, ...content.body };
    const answer = await callOzon(client, settings, { path: content.path, body, signal, now });
    if (!answer.ok) return failed(errorOf(answer));
    const wanted = { chat: chat_id, isIt: content.isIt, since: now };
    return { sent: true, providerId: await findSent(client, settings, wanted, signal) };
  } catch (error) {
    return unanswered(error);
  }
}

const MOST_MIB = 25;

/** Throws `Unsent`. */
async function contentOf(
  { type, text, url }: OutgoingMessage,
  client: Client,
  signal: AbortSignal,
): Promise<Content> {
  if (type === 'text') {
    const own = text ?? '';
    return {
      path: '/v1/chat/send/message',
      body: { text: own },
      isIt: (said) => plain(said) === plain(own),
    };
  }
  if (url === null) throw unfit('The file has no address.');
  const file = await fetchFile(client, url, { mostMiB: MOST_MIB, signal });
  const name = nameOf(file);
  return {
    path: '/v1/chat/send/file',
    body: { base64_content: file.bytes.toString('base64'), name },
    isIt: (said) => said.includes(name) || said.includes(encodeURIComponent(name)),
  };
}

/** Ozon recognizes the type of a file by the extension. */
const nameOf = ({ name, type }: MessageFile): string =>
  name.includes('.') ? name : `${name}.${type.split('/').at(-1)}`;

/** The history is in Markdown, which escapes characters. */
const plain = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1').trim();
