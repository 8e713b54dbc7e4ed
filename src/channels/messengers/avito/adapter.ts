import type { Adapter } from '../../contract/adapter.ts';
import { locateFile, pollReceipts, setup } from './account.ts';
import { avitoCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { namesOf } from './names.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { token } from './token.ts';

/** The chats of an account on Avito. */
export const avito: Adapter<Settings> = {
  ...avitoCapabilities,
  settings,
  guide,
  registersAddress: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  setup,
  token,
  pollReceipts,
  locateFile,
  check,
  standing,
  namesOf,
};
