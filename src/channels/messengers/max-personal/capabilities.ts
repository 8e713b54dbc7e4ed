import type { Capabilities } from '../../contract/capabilities.ts';

export const maxPersonalCapabilities: Capabilities = {
  platform: 'Max_Personal',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 4000,
    caption: 4000,
    counts: 'characters',
    buttons: 0,
    label: 0,
    payloadBytes: 0,
    perSecond: null,
    chatPauseMs: null,
    concurrency: 16,
  },
  opensBy: ['phone'],
  opensWith: 'text',
  recipientKeys: ['max_id'],
  ownContent: { MAX_PERSONAL_TEXT: 'text', MAX_PERSONAL_NODE: 'node' },
  receipts: ['delivered', 'read', 'undelivered'],
  hasEarlyReceipts: true,
};
