import type { Adapter } from '../../contract/adapter.ts';
import { poll } from './poll.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { isPolled, type Settings, settings } from './settings.ts';
import { setup } from './setup.ts';

/**
 * A bot of Telegram. Beyond 30 messages a second for the bot there is a limit of about one a second in a chat, which
 * only its 429 tells of.
 */
export const telegram: Adapter<Settings> = {
  platform: 'Telegram',
  settings,
  carries: ['text', 'image', 'document'],
  limits: { text: 4096, caption: 1024, buttons: 100, payloadBytes: 64, perSecond: 30, concurrency: 30 },
  // A bot cannot write to someone who has not written to it.
  opensBy: [],
  send,
  receive,
  poll,
  polls: isPolled,
  setup,
};
