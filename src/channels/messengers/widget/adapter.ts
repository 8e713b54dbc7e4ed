import type { Adapter } from '../../contract/adapter.ts';
import { widgetCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { WidgetSettings } from './settings.ts';

/**
 * Our own chat window for web pages. Its browsers read the stored messages and write through `src/people/widget`.
 * There is therefore no provider to call. A message recorded as sent is visible, and its receipts come from the
 * browsers.
 */
export const widget: Adapter<WidgetSettings> = {
  ...widgetCapabilities,
  settings: WidgetSettings,
  guide,
  registersAddress: false,
  routes: [],
  send: async () => ({ sent: true, providerId: null }),
};
