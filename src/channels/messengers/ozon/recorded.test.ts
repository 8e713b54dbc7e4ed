import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
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
  await areUnderstood(t, recorded, {
    adapter: ozon,
    settings: seller,
    provider,
    externalId: 'b646d975-0c9c-4872-9f41-8b1e57181063',
  });
});
