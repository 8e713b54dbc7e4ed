import type { Adapter } from '../../contract/adapter.ts';
import { ozonCapabilities } from './capabilities.ts';
import { locateFile } from './files.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { learn } from './learn.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';

/** The chats of a seller with buyers on Ozon. */
export const ozon: Adapter<Settings> = {
  ...ozonCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  learn,
  locateFile,
  check,
  standing,
};
