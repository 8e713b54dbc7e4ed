import type { Button, CarriedType } from '../../channels/contract/adapter.ts';

/** What a channel is asked to carry for a row of `messages`; null where no channel can (a scenario, for one). */
export type Carried = { type: CarriedType; text: string | null; url: string | null; buttons: Button[] };

/**
 * The columns `content_type` and `content` as the push API and the connector wrote them, or `rendered` in their place. A
 * mailing's content has what is this recipient's own, and is written out before it is carried.
 */
export type MessageContent = {
  text?: string;
  url?: string;
  buttons?: Button[];
  variables?: { [name: string]: string };
  promocodes?: { [group: string]: string };
};

export function carriedBy(contentType: string, content: MessageContent): Carried | null {
  const carried = (type: CarriedType): Carried => ({
    type,
    text: content.text ?? null,
    url: content.url ?? null,
    buttons: content.buttons ?? [],
  });
  switch (contentType) {
    case 'TEXT':
    case 'WHATSAPP_TEXT':
    case 'TELEGRAM_PERSONAL_TEXT':
    case 'MAX_PERSONAL_TEXT':
    case 'text':
    case 'whatsapp_text':
    case 'telegram_personal_text':
      return carried('text');
    case 'image':
      return carried('image');
    case 'document':
      return carried('document');
    case 'WHATSAPP_TEMPLATE':
    case 'whatsapp_template':
      return carried('whatsapp_template');
    default:
      return null;
  }
}
