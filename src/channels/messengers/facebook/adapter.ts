import type { Adapter } from '../../contract/adapter.ts';
import { handshake } from '../../shared/graph.ts';
import { namesBy } from '../../shared/graph-messages/names.ts';
import { receiveBy } from '../../shared/graph-messages/receive.ts';
import { sendBy } from '../../shared/graph-messages/send.ts';
import { facebookCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { accountOf, type Settings, settings } from './settings.ts';
import { learn, setup } from './setup.ts';

/** The messages of a Facebook page, by the Messenger Platform. */
export const facebook: Adapter<Settings> = {
  ...facebookCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes: [
    { method: 'GET', path: '', receive: (request, { verify_token }) => handshake(request, verify_token) },
    {
      method: 'POST',
      path: '',
      receive: (request, { app_secret, page_id }) =>
        receiveBy({ appSecret: app_secret, accountId: page_id }, request),
    },
  ],
  answers: true,
  send: (message, own, client, attempt) => sendBy(accountOf(own), message, client, attempt),
  learn,
  setup,
  check,
  standing,
  namesOf: (externalId, own, client) => namesBy(accountOf(own), externalId, 'name', client),
};
