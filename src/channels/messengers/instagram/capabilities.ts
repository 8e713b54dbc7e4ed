import type { Capabilities } from '../../contract/capabilities.ts';

export const instagramCapabilities: Capabilities = {
  platform: 'Instagram',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 1000,
    caption: 0,
    counts: 'bytes',
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
  receipts: ['read'],
  hasEarlyReceipts: true,
};
