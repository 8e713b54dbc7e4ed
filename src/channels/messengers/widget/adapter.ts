import type { Adapter } from '../../contract/adapter.ts';
import { widgetCapabilities } from './capabilities.ts';
import { WidgetSettings } from './settings.ts';

/**
 * Our own chat window for web pages. Its browsers read the stored messages and write through `src/people/widget`, so there is
 * nobody to call: a message that is recorded as sent can be seen, and what is seen comes back as a receipt.
 */
export const widget: Adapter<WidgetSettings> = {
  ...widgetCapabilities,
  settings: WidgetSettings,
  registersAddress: false,
  routes: [],
  send: async () => ({ sent: true, providerId: null }),
};
