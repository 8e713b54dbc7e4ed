import type { Capabilities } from '../../contract/capabilities.ts';

export const telegramPersonalCapabilities: Capabilities = {
  platform: 'Telegram_Personal',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 4096,
    caption: 1024,
    counts: 'characters',
    buttons: 0,
    label: 0,
    payloadBytes: 0,
    perSecond: 1,
    chatPauseMs: 1000,
    concurrency: 4,
  },
  opensBy: ['phone', 'username'],
  opensWith: 'text',
  recipientKeys: ['telegram_id', 'telegram_username'],
  ownContent: {
    TELEGRAM_PERSONAL_TEXT: 'text',
    TELEGRAM_PERSONAL_NODE: 'node',
    telegram_personal_text: 'text',
  },
  receipts: ['read'],
  hasEarlyReceipts: true,
};
