import type { Capabilities } from '../../contract/capabilities.ts';

export const odnoklassnikiCapabilities: Capabilities = {
  platform: 'Odnoklassniki',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 3900,
    caption: 3900,
    counts: 'characters',
    buttons: 30,
    label: 40,
    payloadBytes: 255,
    perSecond: null,
    chatPauseMs: null,
    concurrency: 64,
  },
  opensBy: [],
  opensWith: 'text',
  recipientKeys: [],
  ownContent: {},
  receipts: [],
  hasEarlyReceipts: false,
};
