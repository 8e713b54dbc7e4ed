import type { Adapter } from '../../contract/adapter.ts';
import { handshake } from '../../shared/graph.ts';
import { namesBy } from '../../shared/graph-messages/names.ts';
import { receiveBy } from '../../shared/graph-messages/receive.ts';
import { sendBy } from '../../shared/graph-messages/send.ts';
import { instagramCapabilities } from './capabilities.ts';
import { guide } from './guide.ts';
import { check, standing } from './inspect.ts';
import { currentAccountOf, type Settings, settings } from './settings.ts';
import { learn, setup } from './setup.ts';
import { token } from './token.ts';

/** The messages of a professional account, by the Instagram API with Instagram login. */
export const instagram: Adapter<Settings> = {
  ...instagramCapabilities,
  settings,
  guide,
  registersAddress: false,
  routes: [
    { method: 'GET', path: '', receive: (request, { verify_token }) => handshake(request, verify_token) },
    {
      method: 'POST',
      path: '',
      receive: (request, { app_secret, account_id }) =>
        receiveBy({ appSecret: app_secret, accountId: account_id }, request),
    },
  ],
  answers: true,
  send: (message, own, client, attempt) => sendBy(currentAccountOf(own, client), message, client, attempt),
  token,
  learn,
  setup,
  check,
  standing,
  namesOf: async (externalId, own, client) =>
    namesBy(await currentAccountOf(own, client), externalId, 'name,username', client),
};
