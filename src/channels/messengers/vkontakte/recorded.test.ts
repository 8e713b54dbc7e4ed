import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
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
  await areUnderstood(t, recorded, { adapter: vkontakte, settings, provider: vk, externalId: '123456' });
});
