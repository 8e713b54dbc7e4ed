import { clientAddressOf } from '../../../platform/mail-address.ts';
import type { Capabilities } from '../../contract/capabilities.ts';

export const emailCapabilities: Capabilities = {
  platform: 'Email',
  carries: ['text', 'image', 'document'],
  limits: {
    text: 1_000_000,
    caption: 1_000_000,
    counts: 'characters',
    buttons: 100,
    label: 255,
    payloadBytes: 1024,
    perSecond: null,
    chatPauseMs: null,
    concurrency: 16,
  },
  opensBy: [],
  isAddressPersonal: true,
  addressOf: clientAddressOf,
  opensWith: 'text',
  recipientKeys: [],
  ownContent: {},
  receipts: ['delivered', 'read', 'undelivered'],
  hasEarlyReceipts: false,
};
