import type { Adapter } from '../../contract/adapter.ts';
import { WidgetSettings } from './settings.ts';

/**
 * Our own chat window for web pages. Its browsers read the stored messages and write through `src/people/widget`, so there is
 * nobody to call: a message that is recorded as sent can be seen, and what is seen comes back as a receipt.
 */
export const widget: Adapter<WidgetSettings> = {
  platform: 'Widget',
  settings: WidgetSettings,
  carries: ['text', 'image', 'document'],
  limits: { text: 4096, caption: 4096, buttons: 100, payloadBytes: 1024, perSecond: null, concurrency: 256 },
  opensBy: [],
  send: async () => ({ sent: true, providerId: null }),
};
