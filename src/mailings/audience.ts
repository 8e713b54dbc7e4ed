import { type Platform, platforms } from '../channels/contract/platforms.ts';
import { templatePlatforms } from '../channels/registry.ts';
import type { Filter } from '../clients/filters/filter.ts';
import { parseFilter } from '../clients/filters/parse.ts';
import { groupsNamedIn } from '../clients/filters/promocode-names.ts';
import { platformsFor } from '../messaging/push-messages/rules.ts';
import type { ContentType } from './schema.ts';

export type ListName = 'array' | 'customers' | 'phones';

/** The columns of `mailings` that define its audience. */
export type Addressed = {
  filter_chats: unknown;
  customer_filter_file: string | null;
  has_identifiers: boolean;
  phone_numbers_file: string | null;
};

/** The columns of `mailings` that define its content. */
export type Saying = { content_type: ContentType; text: string | null; node_id: number | null };

/**
 * A mailing's audience: everyone on the list, or all profiles without a list. With `isInArray` they must be in the
 * array, too. The filter must match their chat.
 */
export type Audience = { list: ListName | null; isInArray: boolean; filter: Filter | null };

/** Phone numbers are an audience alone. Of the others all must match. Source: docs/contract.md, section 5. */
export function audienceOf(mailing: Addressed): Audience {
  if (mailing.phone_numbers_file !== null) return { list: 'phones', isInArray: false, filter: null };
  const filter = mailing.filter_chats === null ? null : parseFilter(mailing.filter_chats);
  if (mailing.customer_filter_file !== null) {
    return { list: 'customers', isInArray: mailing.has_identifiers, filter };
  }
  return { list: mailing.has_identifiers ? 'array' : null, isInArray: false, filter };
}

/** The message types for recipients on platforms that carry templates, and elsewhere. */
export type ContentTypes = { asTemplate: QueuedType; elsewhere: QueuedType };

export type QueuedType = 'TEXT' | 'NODE' | 'WHATSAPP_TEMPLATE';

export function contentTypesOf(mailing: Pick<Saying, 'content_type' | 'node_id'>): ContentTypes {
  switch (mailing.content_type) {
    case 'TEXT':
    case 'NODE':
      return { asTemplate: mailing.content_type, elsewhere: mailing.content_type };
    case 'TEMPLATE_WHATSAPP':
      return { asTemplate: 'WHATSAPP_TEMPLATE', elsewhere: 'WHATSAPP_TEMPLATE' };
    case 'MIXED':
      return { asTemplate: 'WHATSAPP_TEMPLATE', elsewhere: mailing.node_id === null ? 'TEXT' : 'NODE' };
  }
}

/** The platforms that get each form of what a mailing says. Only a mixed one has two: a template, and the other. */
export function formsOf(
  mailing: Pick<Saying, 'content_type' | 'node_id'> & Pick<Addressed, 'phone_numbers_file'>,
): readonly (readonly Platform[])[] {
  const { asTemplate, elsewhere } = contentTypesOf(mailing);
  const all = platformsOf(mailing);
  if (asTemplate === elsewhere) return [all];
  const takesTemplates = (name: Platform) => templatePlatforms.includes(name);
  const forms = [all.filter(takesTemplates), all.filter((name) => !takesTemplates(name))];
  return forms.filter((form) => form.length > 0);
}

/** The platforms of a mailing's chats. */
export function platformsOf(
  mailing: Pick<Saying, 'content_type'> & Pick<Addressed, 'phone_numbers_file'>,
): readonly Platform[] {
  if (mailing.phone_numbers_file !== null) return templatePlatforms;
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

/** The promo code groups of which every recipient of the text gets a code. */
export function codesOf(mailing: Saying): string[] {
  const { asTemplate, elsewhere } = contentTypesOf(mailing);
  const isText = asTemplate === 'TEXT' || elsewhere === 'TEXT';
  return isText ? groupsNamedIn(mailing.text ?? '') : [];
}
