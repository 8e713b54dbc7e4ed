import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startAutoRu } from '../../../simulator/auto-ru/provider.ts';
import { autoRu } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const dealer = { token: 'fh5GkT67' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) => deliver(autoRu, dealer, { query: { chat_id: dealer.token }, body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const provider = await startAutoRu(t, dealer);
  await areUnderstood(t, recorded, { adapter: autoRu, settings: dealer, provider, externalId: 'a3bc21' });
});
