import type { Adapter } from '../../contract/adapter.ts';
import { apiMessengerCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { routes } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';

/** Our own open channel: any messenger can be connected. Source: architecture, "API_Messenger". */
export const apiMessenger: Adapter<Settings> = {
  ...apiMessengerCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes,
  send,
};
