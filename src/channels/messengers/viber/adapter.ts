import type { Adapter } from '../../contract/adapter.ts';
import { viberCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { learn, setup } from './setup.ts';

/** A Viber bot, by the REST Bot API. */
export const viber: Adapter<Settings> = {
  ...viberCapabilities,
  settings,
  guide,
  registersAddress: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  learn,
  setup,
  check,
  standing,
};
