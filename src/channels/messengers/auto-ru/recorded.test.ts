import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
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
  const client = clientOver(testOutbound(t));
  const own = { ...dealer, api_root: provider.root };
  await areUnderstood(recorded, provider, 'a3bc21', (message, attempt) =>
    autoRu.send?.(message, own, client, attempt),
  );
});
