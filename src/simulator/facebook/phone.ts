import { playGraphMessages } from '../graph/phone.ts';
import type { Place } from '../http-api.ts';
import { addressForm } from '../people.ts';
import type { Player } from '../player.ts';
import { refusals, startFacebook } from './provider.ts';

const ids = addressForm('24000000000', 6);

const page = {
  id: '104000000000001',
  token: 'EAASimulatorPageToken',
  app_secret: 'simulator-app-secret-of-the-page',
  verify_token: 'simulator-verify-token',
};

export async function playFacebook(place: Place): Promise<Player> {
  const api = await startFacebook(place, page, ids.personAt);
  const { token: page_access_token, app_secret, verify_token } = page;
  return playGraphMessages({
    platform: 'Facebook',
    settings: { page_access_token, app_secret, verify_token, api_root: api.root },
    api,
    ids,
    account: page.id,
    says: ['text', 'image', 'file', 'voice', 'press'],
    receipts: ['delivered', 'read'],
    refusals,
    readsById: false,
  });
}
