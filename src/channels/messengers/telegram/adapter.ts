import type { Adapter } from '../../contract/adapter.ts';
import { telegramCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { locateFile } from './locate-file.ts';
import { poll } from './poll.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { isPolled, type Settings, settings } from './settings.ts';
import { learn, setup } from './setup.ts';

/** A Telegram bot. */
export const telegram: Adapter<Settings> = {
  ...telegramCapabilities,
  settings,
  guide,
  registersAddress: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  poll,
  polls: isPolled,
  learn,
  setup,
  locateFile,
  check,
  standing,
};
