import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startVk } from '../../../simulator/vkontakte/provider.ts';
import { vkontakte } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const community = { group_id: '123456789', access_token: 'vk1.a.token' };
const settings = { ...community, secret: 'abc123xyz', confirmation: 'a1b2c3' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) => deliver(vkontakte, settings, { body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const vk = await startVk(t, community);
  const client = clientOver(testOutbound(t));
  const own = { ...settings, api_root: vk.root };
  await areUnderstood(recorded, vk, '123456', (message, attempt) =>
    vkontakte.send?.(message, own, client, attempt),
  );
});
