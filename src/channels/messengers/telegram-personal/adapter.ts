import type { Adapter } from '../../contract/adapter.ts';
import type { OpenAccount } from './account.ts';
import { telegramPersonalCapabilities } from './capabilities.ts';
import { connectBy } from './connect.ts';
import { guide } from './guide.ts';
import { type Settings, settings } from './settings.ts';

/** A personal account of Telegram. The library is loaded on first use. */
export const telegramPersonalBy = (open: OpenAccount): Adapter<Settings> => ({
  ...telegramPersonalCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes: [],
  lastingIds: true,
  connect: connectBy(open),
  logIn: async (given, client, ask) => (await import('./login.ts')).logIn(given, client, ask),
});

export const telegramPersonal = telegramPersonalBy(async (...given) =>
  (await import('./mtproto.ts')).openAccount(...given),
);
