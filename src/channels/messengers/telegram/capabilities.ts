import type { Capabilities } from '../../contract/capabilities.ts';

/** Above 30 messages per second for the bot, only a 429 shows the limit of a chat. A bot cannot write first. */
export const telegramCapabilities: Capabilities = {
  platform: 'Telegram',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 4096,
    caption: 1024,
    counts: 'characters',
    buttons: 100,
    label: 256,
    payloadBytes: 64,
    perSecond: 30,
    chatPauseMs: 1000,
    concurrency: 30,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: ['telegram_id', 'telegram_username'],
  ownContent: {},
  receipts: [],
  hasEarlyReceipts: false,
};
