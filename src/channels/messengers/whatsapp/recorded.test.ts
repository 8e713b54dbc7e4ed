import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { signed } from '../../../simulator/graph/graph.ts';
import { startWhatsapp } from '../../../simulator/whatsapp/provider.ts';
import { whatsapp } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const account = {
  phone_number_id: '106540352242922',
  waba_id: '102290129340398',
  access_token: 'EAAG-token',
  app_secret: 'app-secret',
  verify_token: 'verify-me',
};

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) =>
    deliver(whatsapp, account, { headers: signed(account.app_secret, body), body }),
  );
});

test('answers in the shape that others recorded are understood', async (t) => {
  const meta = await startWhatsapp(t, account);
  const client = clientOver(testOutbound(t));
  const own = { ...account, api_root: meta.root };
  await areUnderstood(recorded, meta, '+16505551234', (message, attempt) =>
    whatsapp.send?.(message, own, client, attempt),
  );
});
