import type { Adapter } from '../../contract/adapter.ts';
import { maxPersonalCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { setup } from './setup.ts';

/** A personal account, by an HTTP gateway: Max has no API for it. */
export const maxPersonal: Adapter<Settings> = {
  ...maxPersonalCapabilities,
  settings,
  guide,
  registersAddress: true,
  lastingIds: true,
  routes: [{ method: 'POST', path: '', receive }],
  send,
  setup,
  check,
  standing,
};
