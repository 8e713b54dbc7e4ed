import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { signed } from '../../../simulator/graph/graph.ts';
import { startInstagram } from '../../../simulator/instagram/provider.ts';
import { instagram } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const account = { id: '17841405309211844', token: 'IGAA-token', app_secret: 'app-secret', verify_token: 'v' };
const { app_secret, verify_token } = account;
const settings = { access_token: account.token, app_secret, verify_token, account_id: account.id };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) => deliver(instagram, settings, { headers: signed(app_secret, body), body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const meta = await startInstagram(t, account);
  await areUnderstood(t, recorded, {
    adapter: instagram,
    settings,
    provider: meta,
    externalId: '1254459154682919',
  });
});
