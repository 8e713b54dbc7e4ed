import type { Button, OutgoingMessage } from '../../contract/adapter.ts';

const MOST_BUTTONS = 3;
const MOST_TEXT_OVER_BUTTONS = 640;

export const unfit =
  'Meta takes up to three buttons under a text of 640 characters, thirteen replies without links, and no text beside a file.';

/** The `message` of a call. Null if the Send API has no such message. */
export function contentOf({ type, text, url, buttons }: OutgoingMessage): object | null {
  const words = text ?? '';
  if (type === 'template') return null;
  if (type === 'text' && buttons.length > 0 && fitsTemplate(words, buttons)) {
    const payload = { template_type: 'button', text: words, buttons: buttons.map(buttonOf) };
    return { attachment: { type: 'template', payload } };
  }
  if (buttons.some((button) => button.url) || (type !== 'text' && words)) return null;
  const replies = buttons.length > 0 && { quick_replies: buttons.map(replyOf) };
  if (type === 'text') return { text: words, ...replies };
  return { attachment: { type: type === 'image' ? 'image' : 'file', payload: { url } }, ...replies };
}

const fitsTemplate = (text: string, { length }: readonly Button[]): boolean =>
  length <= MOST_BUTTONS && Array.from(text).length <= MOST_TEXT_OVER_BUTTONS;

const buttonOf = ({ text: title, url, payload = title }: Button): object =>
  url ? { type: 'web_url', title, url } : { type: 'postback', title, payload };

const replyOf = ({ text: title, payload = title }: Button): object => ({
  content_type: 'text',
  title,
  payload,
});
