import { type Platform, platforms } from '../channels/platforms.ts';
import type { Filter } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse.ts';
import { groupsNamedIn } from '../promocodes/names.ts';
import { platformsFor } from '../push-messages/rules.ts';
import type { MailingRow } from './mailing-store.ts';

/** The run cannot be: the text says why, to people. */
export class CannotRun extends Error {}

export type ListName = 'array' | 'customers' | 'phones';

/**
 * Who a mailing is for: everybody of the list, or all profiles where there is none, who is in the array too where that is
 * said, and whose chat the filter takes.
 */
export type Audience = { list: ListName | null; isInArray: boolean; filter: Filter | null };

/** Source: open points, section 5, "Audience": phone numbers stand alone, of the others all must hold. */
export function audienceOf(mailing: MailingRow): Audience {
  if (mailing.phone_numbers_file !== null) return { list: 'phones', isInArray: false, filter: null };
  const filter = mailing.filter_chats === null ? null : parseFilter(mailing.filter_chats);
  if (mailing.customer_filter_file !== null) {
    return { list: 'customers', isInArray: mailing.has_identifiers, filter };
  }
  return { list: mailing.has_identifiers ? 'array' : null, isInArray: false, filter };
}

/** What a recipient on Whatsapp gets, and what any other gets. */
export type ContentTypes = { onWhatsapp: QueuedType; elsewhere: QueuedType };

type QueuedType = 'TEXT' | 'NODE' | 'WHATSAPP_TEMPLATE';

export function contentTypesOf(mailing: MailingRow): ContentTypes {
  switch (mailing.content_type) {
    case 'TEXT':
    case 'NODE':
      return { onWhatsapp: mailing.content_type, elsewhere: mailing.content_type };
    case 'TEMPLATE_WHATSAPP':
      return { onWhatsapp: 'WHATSAPP_TEMPLATE', elsewhere: 'WHATSAPP_TEMPLATE' };
    case 'MIXED':
      return { onWhatsapp: 'WHATSAPP_TEMPLATE', elsewhere: mailing.node_id === null ? 'TEXT' : 'NODE' };
  }
}

/** The platforms whose chats a mailing may go to. */
export function platformsOf(mailing: MailingRow): readonly Platform[] {
  if (mailing.phone_numbers_file !== null) return ['Whatsapp'];
  switch (mailing.content_type) {
    case 'TEXT':
    case 'NODE':
      return platformsFor(mailing.content_type);
    case 'TEMPLATE_WHATSAPP':
      return platformsFor('WHATSAPP_TEMPLATE');
    case 'MIXED':
      return platforms.filter((name) =>
        [...platformsFor('WHATSAPP_TEMPLATE'), ...platformsFor('TEXT')].includes(name),
      );
  }
}

/** The promo code groups that every recipient of the text takes a code of. */
export function codesOf(mailing: MailingRow): string[] {
  const { onWhatsapp, elsewhere } = contentTypesOf(mailing);
  const isText = onWhatsapp === 'TEXT' || elsewhere === 'TEXT';
  return isText ? groupsNamedIn(mailing.text ?? '') : [];
}

/** What is listed of a run's lines that reach nobody; all are counted. */
export const mostProblems = 1_000;

/** Few: how slow a filter is shows itself only on people, and a thousand conditions on some thousand people take ten seconds. */
export const atOnceAtFirst = 20;
const mostAtOnce = 5_000;
/** A chunk holds up whoever waits for the embedded database, and a server cuts it at two seconds. */
const longChunkMs = 250;
const shortChunkMs = 100;

/** How many to plan in the next statement, after one of this size took so long. */
export function nextAtOnce(atOnce: number, tookMs: number): number {
  if (tookMs > longChunkMs) return Math.max(1, atOnce >> 1);
  return tookMs < shortChunkMs ? Math.min(mostAtOnce, atOnce * 2) : atOnce;
}

/** After a failure: soon the chunk is so small that it tells whose fault it was. */
export const atOnceAfterFailure = (atOnce: number): number => Math.max(1, atOnce >> 3);
