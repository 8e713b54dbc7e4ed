import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startFacebook } from '../../../simulator/facebook/provider.ts';
import { signed } from '../../../simulator/graph/graph.ts';
import { facebook } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const page = { id: '102030405060708', token: 'EAAG-page-token', app_secret: 'app-secret', verify_token: 'v' };
const { app_secret, verify_token } = page;
const settings = { page_access_token: page.token, app_secret, verify_token, page_id: page.id };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) => deliver(facebook, settings, { headers: signed(app_secret, body), body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const meta = await startFacebook(t, page);
  await areUnderstood(t, recorded, {
    adapter: facebook,
    settings,
    provider: meta,
    externalId: '6543210987654321',
  });
});
