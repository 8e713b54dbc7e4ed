import type { Adapter } from '../../contract/adapter.ts';
import { answerPress } from './answer-press.ts';
import { maxCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { learn, locateFile, setup } from './setup.ts';

/** A bot of Max, by its Bot API. */
export const max: Adapter<Settings> = {
  ...maxCapabilities,
  settings,
  guide,
  registersAddress: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  learn,
  setup,
  locateFile,
  check,
  standing,
  answerPress,
};
