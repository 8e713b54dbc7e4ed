import { playApiMessenger } from './api-messenger/phone.ts';
import { playAutoRu } from './auto-ru/phone.ts';
import { playAvito } from './avito/phone.ts';
import { playEmail } from './email/phone.ts';
import { playFacebook } from './facebook/phone.ts';
import type { Place } from './http-api.ts';
import { playInstagram } from './instagram/phone.ts';
import { playMax } from './max/phone.ts';
import { playMaxPersonal } from './max-personal/phone.ts';
import { playOdnoklassniki } from './odnoklassniki/phone.ts';
import { playOzon } from './ozon/phone.ts';
import type { Player } from './player.ts';
import { playTelegram } from './telegram/phone.ts';
import { playTelegramPersonal } from './telegram-personal/phone.ts';
import { playViber } from './viber/phone.ts';
import { playVkontakte } from './vkontakte/phone.ts';
import { playWhatsapp } from './whatsapp/phone.ts';

/** Providers by the part of the simulator's address that they get. */
export const httpPlayers: { readonly [part: string]: (place: Place) => Promise<Player> } = {
  telegram: playTelegram,
  whatsapp: playWhatsapp,
  viber: playViber,
  vkontakte: playVkontakte,
  odnoklassniki: playOdnoklassniki,
  max: playMax,
  'max-personal': playMaxPersonal,
  facebook: playFacebook,
  instagram: playInstagram,
  avito: playAvito,
  'auto-ru': playAutoRu,
  ozon: playOzon,
  'api-messenger': playApiMessenger,
};

export { playEmail, playTelegramPersonal };
