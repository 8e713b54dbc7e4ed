import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
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
  const client = clientOver(testOutbound(t));
  const own = { ...settings, api_root: gateway.root };
  await areUnderstood(recorded, gateway, '10000000', (message, attempt) =>
    maxPersonal.send?.(message, own, client, attempt),
  );
});
