import type { Capabilities } from '../../contract/capabilities.ts';

export const viberCapabilities: Capabilities = {
  platform: 'Viber',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 7000,
    caption: 768,
    counts: 'characters',
    buttons: 24,
    label: 250,
    payloadBytes: 250,
    perSecond: null,
    chatPauseMs: null,
    concurrency: 64,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: [],
  ownContent: {},
  receipts: ['delivered', 'read', 'undelivered'],
  hasEarlyReceipts: true,
};
