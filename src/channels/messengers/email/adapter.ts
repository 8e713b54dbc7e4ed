import type { Adapter } from '../../contract/adapter.ts';
import { accountOf } from './account.ts';
import { emailCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { connect } from './mailbox.ts';
import { send } from './send.ts';
import { type Settings, settings } from './settings.ts';
import { learn } from './setup.ts';

/** A mailbox: SMTP for sending, IMAP for receiving. */
export const email: Adapter<Settings> = {
  ...emailCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes: [],
  answers: true,
  send,
  connect,
  learn,
  accountOf,
  linkOf: ({ from }) => `mailto:${from}`,
};
