import type { Adapter } from '../../contract/adapter.ts';
import { autoRuCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';

/** The chats of a dealer on Auto.ru. */
export const autoRu: Adapter<Settings> = {
  ...autoRuCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes: [{ method: 'POST', path: '', receive }],
  send,
};
