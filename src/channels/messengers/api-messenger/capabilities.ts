import type { Capabilities } from '../../contract/capabilities.ts';

export const apiMessengerCapabilities: Capabilities = {
  platform: 'API_Messenger',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 1_000_000,
    caption: 1_000_000,
    counts: 'characters',
    buttons: 100,
    label: 1_000_000,
    payloadBytes: 65_536,
    perSecond: null,
    chatPauseMs: null,
    concurrency: 512,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: [],
  ownContent: {},
  receipts: ['delivered', 'read', 'undelivered'],
  hasEarlyReceipts: false,
};
