import type { Capabilities } from '../../contract/capabilities.ts';

export const widgetPlatform = 'Widget' as const;

export const widgetCapabilities: Capabilities = {
  platform: widgetPlatform,
  carries: ['text', 'image', 'document'],
  limits: {
    text: 4096,
    caption: 4096,
    counts: 'characters',
    buttons: 100,
    label: 1_000_000,
    payloadBytes: 1024,
    perSecond: null,
    chatPauseMs: null,
    concurrency: 256,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: [],
  ownContent: {},
  receipts: ['delivered', 'read'],
  hasEarlyReceipts: false,
};
