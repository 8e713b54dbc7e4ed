import type { Platform } from '../../../src/channels/contract/platforms.ts';

/** The usual names of the messengers, the same in every language. */
const names: Record<Platform, string> = {
  Telegram: 'Telegram',
  Facebook: 'Facebook',
  Instagram: 'Instagram',
  Viber: 'Viber',
  Whatsapp: 'WhatsApp',
  Vkontakte: 'VK',
  Widget: 'Widget',
  Odnoklassniki: 'OK',
  Email: 'E-mail',
  API_Messenger: 'API',
  Avito: 'Avito',
  Auto_Ru: 'Auto.ru',
  Max: 'Max',
  Ozon: 'Ozon',
  Telegram_Personal: 'Telegram',
  Max_Personal: 'Max',
};

const isPlatform = (word: string): word is Platform => Object.hasOwn(names, word);

export const platformName = (platform: string): string => (isPlatform(platform) ? names[platform] : platform);
