import type { Capabilities } from '../../contract/capabilities.ts';

export const vkontakteCapabilities: Capabilities = {
  platform: 'Vkontakte',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 9000,
    caption: 9000,
    counts: 'characters',
    buttons: 10,
    label: 40,
    payloadBytes: 240,
    perSecond: 20,
    chatPauseMs: null,
    concurrency: 20,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: ['vkontakte_id'],
  ownContent: {},
  receipts: ['read'],
  hasEarlyReceipts: true,
};
