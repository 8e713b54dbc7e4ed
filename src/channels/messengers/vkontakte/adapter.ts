import type { Adapter } from '../../contract/adapter.ts';
import { answerPress } from './answer-press.ts';
import { vkontakteCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { namesOf } from './names.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { learn, setup } from './setup.ts';

/** The messages of a VK community, by its Callback API. */
export const vkontakte: Adapter<Settings> = {
  ...vkontakteCapabilities,
  settings,
  guide,
  registersAddress: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  learn,
  setup,
  check,
  standing,
  answerPress,
  namesOf,
};
