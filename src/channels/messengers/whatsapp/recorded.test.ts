import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { whatsappAccount as account } from '../../../../test/whatsapp-account.ts';
import { signed } from '../../../simulator/graph/graph.ts';
import { startWhatsapp } from '../../../simulator/whatsapp/provider.ts';
import { whatsapp } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) =>
    deliver(whatsapp, account, { headers: signed(account.app_secret, body), body }),
  );
});

test('answers in the shape that others recorded are understood', async (t) => {
  const meta = await startWhatsapp(t, account);
  await areUnderstood(t, recorded, {
    adapter: whatsapp,
    settings: account,
    provider: meta,
    externalId: '+16505551234',
  });
});
