import type { Adapter } from '../../contract/adapter.ts';
import { odnoklassnikiCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { namesOf } from './names.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { learn, setup } from './setup.ts';

/** The messages of a group of Odnoklassniki, by its Graph API. */
export const odnoklassniki: Adapter<Settings> = {
  ...odnoklassnikiCapabilities,
  settings,
  guide,
  registersAddress: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  learn,
  setup,
  check,
  standing,
  namesOf,
};
