import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startGateway } from '../../../simulator/max-personal/provider.ts';
import { maxPersonal } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const settings = { instance_id: '3100000001', api_token: 'token', webhook_token: 's3cret' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) =>
    deliver(maxPersonal, settings, { headers: { authorization: 'Bearer s3cret' }, body }),
  );
});

test('answers in the shape that others recorded are understood', async (t) => {
  const gateway = await startGateway(t, settings);
  await areUnderstood(t, recorded, {
    adapter: maxPersonal,
    settings,
    provider: gateway,
    externalId: '10000000',
  });
});
