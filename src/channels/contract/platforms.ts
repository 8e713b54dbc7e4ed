/** Source: docs/contract.md, section 9. */
export const platforms = [
  'Telegram',
  'Facebook',
  'Instagram',
  'Viber',
  'Whatsapp',
  'Vkontakte',
  'Widget',
  'Odnoklassniki',
  'Email',
  'API_Messenger',
  'Avito',
  'Auto_Ru',
  'Max',
  'Ozon',
  'Telegram_Personal',
  'Max_Personal',
] as const;

export type Platform = (typeof platforms)[number];

/** False for a platform of a newer release. */
export const isPlatform = (name: string): name is Platform => platforms.some((platform) => platform === name);
