import type { Button, FilledTemplate, OutgoingMessage } from '../../contract/adapter.ts';
import { fileNameOf } from '../../shared/file.ts';
import { componentsOf } from './template-parts.ts';

/** The part of a message's body for its type. Null if the Cloud API has no such message. */
export function contentOf(message: OutgoingMessage): object | null {
  const { type, text, url, buttons, template } = message;
  if (type === 'template') return template ? { type, template: templateOf(template) } : null;
  if (buttons.length > 0) return interactiveOf(message);
  const caption = text ? { caption: text } : {};
  switch (type) {
    case 'text':
      return { type, text: { body: text ?? '', preview_url: true } };
    case 'image':
      return { type, image: { link: url, ...caption } };
    case 'document':
      return { type, document: { link: url, filename: fileNameOf(url ?? ''), ...caption } };
  }
}

function templateOf({ name, language, variables }: FilledTemplate): object {
  const components = componentsOf(variables);
  return { name, language: { code: language }, ...(components.length > 0 && { components }) };
}

const MOST_REPLIES = 3;
/** Above a link or replies. */
const MOST_TEXT = 1024;

/** Up to three replies, a list of up to ten, or one link. The Cloud API does not mix them. */
function interactiveOf({ type, text, url, buttons }: OutgoingMessage): object | null {
  const body = text ? { text } : null;
  if (!body) return null;
  const header = headerOf(type, url);
  const [first] = buttons;
  const isShort = Array.from(body.text).length <= MOST_TEXT;
  if (first?.url) {
    const fits = buttons.length === 1 && isShort;
    return fits ? interactive('cta_url', { ...header, body, action: linkOf(first) }) : null;
  }
  if (buttons.some((button) => button.url)) return null;
  if (buttons.length <= MOST_REPLIES && isShort) {
    return interactive('button', { ...header, body, action: { buttons: buttons.map(replyOf) } });
  }
  return type === 'text' ? interactive('list', { body, action: listOf(buttons) }) : null;
}

const interactive = (type: string, parts: object): object => ({
  type: 'interactive',
  interactive: { type, ...parts },
});

function headerOf(type: OutgoingMessage['type'], link: string | null): object {
  if (type === 'image') return { header: { type, image: { link } } };
  if (type === 'document') return { header: { type, document: { link, filename: fileNameOf(link ?? '') } } };
  return {};
}

const linkOf = ({ text, url }: Button): object => ({
  name: 'cta_url',
  parameters: { display_text: text, url },
});

const replyOf = ({ text, payload }: Button): object => ({
  type: 'reply',
  reply: { id: payload ?? text, title: text },
});

const listOf = (buttons: Button[]): object => ({
  button: '☰',
  sections: [{ rows: buttons.map(({ text, payload }) => ({ id: payload ?? text, title: text })) }],
});
