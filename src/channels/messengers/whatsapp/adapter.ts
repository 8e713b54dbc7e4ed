import type { Adapter } from '../../contract/adapter.ts';
import { learn, listTemplates, locateFile, submitTemplate } from './account.ts';
import { whatsappCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { receive, verify } from './receive.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';

/** A number of the WhatsApp Business Platform, by the Cloud API. */
export const whatsapp: Adapter<Settings> = {
  ...whatsappCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes: [
    { method: 'GET', path: '', receive: verify },
    { method: 'POST', path: '', receive },
  ],
  send,
  learn,
  listTemplates,
  submitTemplate,
  locateFile,
  check,
  standing,
};
