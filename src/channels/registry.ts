import { smallAscii } from '../platform/ascii.ts';
import { normalizePhoneIn } from '../platform/phone.ts';
import type { Adapter } from './contract/adapter.ts';
import type { Capabilities, CarriedType, ContentKind } from './contract/capabilities.ts';
import { commonContent } from './contract/content.ts';
import { lengthOf, longestText } from './contract/limits.ts';
import { type Platform, platforms } from './contract/platforms.ts';
import { apiMessenger } from './messengers/api-messenger/adapter.ts';
import { autoRu } from './messengers/auto-ru/adapter.ts';
import { avito } from './messengers/avito/adapter.ts';
import { email } from './messengers/email/adapter.ts';
import { facebook } from './messengers/facebook/adapter.ts';
import { instagram } from './messengers/instagram/adapter.ts';
import { max } from './messengers/max/adapter.ts';
import { maxPersonal } from './messengers/max-personal/adapter.ts';
import { odnoklassniki } from './messengers/odnoklassniki/adapter.ts';
import { ozon } from './messengers/ozon/adapter.ts';
import { telegram } from './messengers/telegram/adapter.ts';
import { telegramPersonal } from './messengers/telegram-personal/adapter.ts';
import { viber } from './messengers/viber/adapter.ts';
import { vkontakte } from './messengers/vkontakte/adapter.ts';
import { whatsapp } from './messengers/whatsapp/adapter.ts';
import { widget } from './messengers/widget/adapter.ts';

const byPlatform: { readonly [P in Platform]: Adapter } = {
  API_Messenger: apiMessenger,
  Auto_Ru: autoRu,
  Avito: avito,
  Email: email,
  Facebook: facebook,
  Instagram: instagram,
  Max: max,
  Max_Personal: maxPersonal,
  Odnoklassniki: odnoklassniki,
  Ozon: ozon,
  Telegram: telegram,
  Telegram_Personal: telegramPersonal,
  Viber: viber,
  Vkontakte: vkontakte,
  Whatsapp: whatsapp,
  Widget: widget,
};

export const adapters: readonly Adapter[] = Object.values(byPlatform);

export const adapterFor = (platform: Platform): Adapter => byPlatform[platform];

export const capabilitiesOf = (platform: Platform): Capabilities => byPlatform[platform];

/** The platforms that satisfy the predicate, in the API's order. */
export const platformsWhere = (isMeant: (capabilities: Capabilities) => boolean): readonly Platform[] =>
  platforms.filter((platform) => isMeant(byPlatform[platform]));

const contentKinds: { readonly [word: string]: ContentKind } = Object.assign(
  {},
  commonContent,
  ...adapters.map(({ ownContent }) => ownContent),
);

/** The kind of content for a word of the API. Null for an unknown word. */
export const contentKindOf = (word: string): ContentKind | null =>
  Object.hasOwn(contentKinds, word) ? (contentKinds[word] ?? null) : null;

/** The platform of a word of the API. Null if any platform may carry the content. */
export const ownerOfContent = (word: string): Platform | null =>
  platforms.find((platform) => Object.hasOwn(byPlatform[platform].ownContent, word)) ?? null;

/** The platforms whose messages may be templates. */
export const templatePlatforms = platformsWhere(({ carries }) => carries.includes('template'));

/** The platforms where one address is one client on all channels. */
export const personalPlatforms = platformsWhere(({ isAddressPersonal }) => isAddressPersonal === true);

/**
 * The address as the platform's chats have it.
 * @param country The country whose national phone numbers are accepted; null for none.
 */
export function addressOn(platform: Platform, typed: string, country: string | null): string {
  const { opensBy, addressOf } = byPlatform[platform];
  const phone = opensBy.includes('phone') ? normalizePhoneIn(country, typed) : null;
  if (phone !== null) return phone;
  return opensBy.includes('username') && typed.startsWith('@')
    ? smallAscii(typed)
    : (addressOf?.(typed) ?? typed);
}

/** The platform's limit for a text of this type, if this text exceeds it. Null otherwise. */
export function limitExceeded(
  platform: Platform,
  type: CarriedType,
  text: string | null | undefined,
): number | null {
  const { limits } = byPlatform[platform];
  if (!text) return null;
  const most = longestText(limits, type);
  return lengthOf(limits, text) > most ? most : null;
}
