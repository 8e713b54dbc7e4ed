import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startOzon } from '../../../simulator/ozon/provider.ts';
import { ozon } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const seller = { client_id: '7', api_key: 'the-api-key' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) => deliver(ozon, seller, { body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const provider = await startOzon(t, seller);
  const client = clientOver(testOutbound(t));
  const own = { ...seller, api_root: provider.root };
  await areUnderstood(recorded, provider, 'b646d975-0c9c-4872-9f41-8b1e57181063', (message, attempt) =>
    ozon.send?.(message, own, client, attempt),
  );
});
