import type { Capabilities } from '../../contract/capabilities.ts';

/**
 * The business sends at most 80 messages per second. Meta asks for one in six seconds to a client and allows bursts, so
 * only its refusal (131056) pauses a chat: an operator's second sentence does not wait.
 */
export const whatsappCapabilities: Capabilities = {
  platform: 'Whatsapp',
  carries: ['text', 'image', 'document', 'template'],
  limits: {
    text: 4096,
    caption: 1024,
    counts: 'characters',
    buttons: 10,
    label: 20,
    payloadBytes: 200,
    perSecond: 80,
    chatPauseMs: null,
    concurrency: 64,
  },
  opensBy: ['phone'],
  opensWith: 'template',
  recipientKeys: [],
  ownContent: {
    WHATSAPP_TEMPLATE: 'template',
    WHATSAPP_TEXT: 'text',
    whatsapp_template: 'template',
    whatsapp_text: 'text',
  },
  receipts: ['sent', 'delivered', 'read', 'undelivered'],
  hasEarlyReceipts: true,
};
