import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startMax } from '../../../simulator/max/provider.ts';
import { max } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const settings = { access_token: 'f9LHod-token', secret: 's3cret' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) =>
    deliver(max, settings, { headers: { 'x-max-bot-api-secret': 's3cret' }, body }),
  );
});

test('answers in the shape that others recorded are understood', async (t) => {
  const bot = await startMax(t, settings);
  await areUnderstood(t, recorded, { adapter: max, settings, provider: bot, externalId: '54321' });
});
