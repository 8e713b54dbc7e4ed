import { playGraphMessages } from '../graph/phone.ts';
import type { Place } from '../http-api.ts';
import { addressForm } from '../people.ts';
import type { Player } from '../player.ts';
import { refusals, startInstagram } from './provider.ts';

const ids = addressForm('17900000000', 6);

const account = {
  id: '17841400000000001',
  token: 'IGSimulatorAccountToken',
  app_secret: 'simulator-app-secret-of-the-account',
  verify_token: 'simulator-verify-token',
};

export async function playInstagram(place: Place): Promise<Player> {
  const api = await startInstagram(place, account, ids.personAt);
  const { token: access_token, app_secret, verify_token } = account;
  return playGraphMessages({
    platform: 'Instagram',
    settings: { access_token, app_secret, verify_token, api_root: api.root },
    api,
    ids,
    account: account.id,
    says: ['text', 'image', 'voice', 'press'],
    receipts: ['read'],
    refusals,
    readsById: true,
  });
}
