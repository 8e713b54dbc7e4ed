import { hash } from 'node:crypto';
import type { Button, Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import type { SendError } from '../../contract/errors.ts';
import { unanswered } from '../../contract/failure.ts';
import { UnfitFile } from '../../shared/file.ts';
import { callVk, VkRefused } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';
import { upload } from './upload.ts';

export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  { deadline, now }: SendAttempt,
): Promise<SendResult> {
  const { chat, text, buttons } = message;
  const attachment = await attachmentOf(message, settings, client, deadline);
  if (typeof attachment === 'object') return attachment;
  const parameters = {
    user_id: chat.externalId,
    random_id: String(randomId(message.uuid)),
    ...(text && { message: text }),
    ...(attachment && { attachment }),
    ...(buttons.length > 0 && { keyboard: JSON.stringify(keyboardOf(buttons)) }),
  };
  try {
    const answer = await callVk(client, settings, {
      method: 'messages.send',
      parameters,
      signal: deadline,
      now,
    });
    if (!answer.ok) return { sent: false, error: errorOf(answer) };
    const { response } = answer;
    const isId = typeof response === 'number' || (typeof response === 'string' && /^\d+$/.test(response));
    return { sent: true, providerId: isId ? String(response) : null };
  } catch (error) {
    return unanswered(error);
  }
}

/** Uploads a picture or a file. After a failure, nothing has been sent. */
async function attachmentOf(
  { type, url, chat }: OutgoingMessage,
  settings: Settings,
  client: Client,
  signal: AbortSignal,
): Promise<string | SendResult> {
  if ((type !== 'image' && type !== 'document') || !url) return '';
  try {
    return await upload(client, settings, { type, url, peer: chat.externalId, signal });
  } catch (error) {
    if (error instanceof UnfitFile) return failed({ code: 'bad_content', detail: error.message });
    const result = error instanceof VkRefused ? failed(errorOf(error.answer)) : unanswered(error);
    if (result.sent || result.error.code !== 'temporary') return result;
    return failed({ ...result.error, mayHaveBeenSent: false });
  }
}

const failed = (error: SendError): SendResult => ({ sent: false, error });

/** The same in every attempt. VK recognizes a repeated message by it. */
const randomId = (uuid: string): number => hash('sha256', uuid, 'buffer').readUInt32BE() & 0x7fffffff || 1;

const MOST_ROWS = 6;

/** One button per row while there is room: labels of any length stay readable on a phone. */
function keyboardOf(buttons: Button[]): object {
  const perRow = Math.ceil(buttons.length / MOST_ROWS);
  const rows = Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, row) =>
    buttons.slice(row * perRow, (row + 1) * perRow).map((button) => ({ action: actionOf(button) })),
  );
  return { inline: true, buttons: rows };
}

/** VK requires JSON as a payload. */
const actionOf = ({ text, url, payload }: Button): object =>
  url
    ? { type: 'open_link', link: url, label: text }
    : { type: 'text', label: text, payload: JSON.stringify({ button: payload ?? text }) };
