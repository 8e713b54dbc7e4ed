import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startOk } from '../../../simulator/odnoklassniki/provider.ts';
import { odnoklassniki } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const settings = { access_token: 'tkn1:SECRET' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) => deliver(odnoklassniki, settings, { body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const ok = await startOk(t, settings);
  await areUnderstood(t, recorded, {
    adapter: odnoklassniki,
    settings,
    provider: ok,
    externalId: 'chat:C3ecb9d02a600',
  });
});
