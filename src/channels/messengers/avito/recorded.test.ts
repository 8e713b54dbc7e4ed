import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startAvito } from '../../../simulator/avito/provider.ts';
import { avito } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const settings = { client_id: 'client', client_secret: 's3cret', user_id: '353207078' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) => deliver(avito, settings, { body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const provider = await startAvito(t, settings);
  await areUnderstood(t, recorded, {
    adapter: avito,
    settings,
    provider,
    externalId: 'u2i-xNG6BsZqGy6XaZaW0oZvlQ',
  });
});
