import type { Adapter } from '../../contract/adapter.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';

/** Our own open channel: anyone's messenger can be plugged in. Source: architecture, "API_Messenger". */
export const apiMessenger: Adapter<Settings> = {
  platform: 'API_Messenger',
  settings,
  carries: ['text', 'image', 'document'],
  limits: {
    text: 1_000_000,
    caption: 1_000_000,
    buttons: 100,
    payloadBytes: 65_536,
    perSecond: null,
    concurrency: 512,
  },
  opensBy: [],
  send,
  receive,
};
