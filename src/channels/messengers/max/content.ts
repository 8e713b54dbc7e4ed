import { normalizePhone } from '../../../platform/phone.ts';
import type { InboundFile } from '../../contract/inbound.ts';
import { type Content, contentsOf } from '../../shared/inbound.ts';
import { cardFields } from '../../shared/vcard.ts';
import { type Attachment, type Body, isAttachment, type Message } from './update.ts';

/** The contents of a message and of a forwarded one. */
export function saidIn({ body, link }: Message): Content[] {
  const bodies = [body, link?.type === 'forward' ? link.message : null].filter((part) => part != null);
  const attachments = bodies.flatMap(attachmentsOf);
  const texts = bodies.map(({ text }) => text);
  const words = attachments.map((one) => wordsOf(one, texts.join('\n')));
  return contentsOf([...texts, ...words], attachments.flatMap(fileOf));
}

export const attachmentsOf = (body: Body | null | undefined): Attachment[] =>
  body?.attachments?.filter(isAttachment) ?? [];

function fileOf({ type, payload, filename }: Attachment): Content[] {
  if (type === 'video' && payload?.token) {
    return [{ type: 'document', file: { reference: payload.token, name: 'video.mp4' } }];
  }
  if (!payload?.url) return [];
  const { url } = payload;
  if (type === 'image' || type === 'sticker') return [{ type: 'image', file: { url } }];
  if (type !== 'file' && type !== 'audio' && type !== 'video') return [];
  const file: InboundFile = { url, ...(filename && { name: filename }) };
  return [{ type: 'document', file }];
}

/** A text for content without an equivalent type. An address in the message's own text is repeated as a share. */
function wordsOf({ type, payload, title, latitude, longitude }: Attachment, text: string): string {
  if (type === 'location') return `${latitude}, ${longitude}`;
  if (type === 'share') {
    return payload?.url && text.includes(payload.url) ? '' : [title, payload?.url].filter(Boolean).join(' ');
  }
  if (type !== 'contact' || !payload) return '';
  const { vcf_info: card, max_info: user } = payload;
  const name = cardField(card, 'FN') ?? [user?.first_name, user?.last_name].filter(Boolean).join(' ');
  return [name, cardField(card, 'TEL')].filter(Boolean).join(' ');
}

/**
 * A contact is the client's own only if Max says so: a client can send anyone's contact. A card with several numbers is
 * ignored: a name that breaks the line could be one of them.
 */
export function ownPhone({ body, sender }: Message): string | null {
  const own = attachmentsOf(body).find(
    ({ type, payload }) => type === 'contact' && payload?.max_info?.user_id === sender?.user_id,
  );
  const [phone, ...others] = cardFields(own?.payload?.vcf_info, 'TEL');
  if (phone === undefined || others.some((other) => other !== phone)) return null;
  return normalizePhone(`+${phone.replace(/^\+/, '')}`);
}

const cardField = (card: string | null | undefined, field: 'FN' | 'TEL'): string | null =>
  cardFields(card, field)[0] ?? null;
