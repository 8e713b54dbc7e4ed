import type { Capabilities } from '../../contract/capabilities.ts';

export const ozonCapabilities: Capabilities = {
  platform: 'Ozon',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 1000,
    caption: 0,
    counts: 'characters',
    buttons: 0,
    label: 0,
    payloadBytes: 0,
    perSecond: null,
    chatPauseMs: null,
    concurrency: 32,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: [],
  ownContent: {},
  receipts: ['read'],
  hasEarlyReceipts: true,
};
