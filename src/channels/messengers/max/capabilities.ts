import type { Capabilities } from '../../contract/capabilities.ts';

export const maxCapabilities: Capabilities = {
  platform: 'Max',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 4000,
    caption: 4000,
    counts: 'characters',
    buttons: 210,
    label: 128,
    payloadBytes: 1024,
    perSecond: 30,
    chatPauseMs: 500,
    concurrency: 30,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: ['max_id'],
  ownContent: {},
  receipts: [],
  hasEarlyReceipts: false,
};
