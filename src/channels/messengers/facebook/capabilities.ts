import type { Capabilities } from '../../contract/capabilities.ts';

export const facebookCapabilities: Capabilities = {
  platform: 'Facebook',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 2000,
    caption: 0,
    counts: 'characters',
    buttons: 13,
    label: 20,
    payloadBytes: 1000,
    perSecond: 300,
    chatPauseMs: null,
    concurrency: 64,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: [],
  ownContent: {},
  receipts: ['delivered', 'read'],
  hasEarlyReceipts: true,
};
