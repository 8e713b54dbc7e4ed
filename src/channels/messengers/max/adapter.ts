import type { Adapter } from '../../contract/adapter.ts';
import { maxCapabilities } from './capabilities.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { learn, locateFile, setup } from './setup.ts';

/** A bot of Max, by its Bot API. */
export const max: Adapter<Settings> = {
  ...maxCapabilities,
  settings,
  registersAddress: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  learn,
  setup,
  locateFile,
};
