import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startViber, viberSignature } from '../../../simulator/viber/provider.ts';
import { viber } from './adapter.ts';

const recorded = recordedBeside(import.meta.dirname);
const settings = { auth_token: '4453b6ac12345678-e02c5f12174805f9', sender_name: 'Shop' };

test('webhooks in the shape that others recorded are read', () => {
  areRead(recorded, (body) =>
    deliver(viber, settings, { headers: viberSignature(settings.auth_token, body), body }),
  );
});

test('answers in the shape that others recorded are understood', async (t) => {
  const bot = await startViber(t, settings);
  await areUnderstood(t, recorded, { adapter: viber, settings, provider: bot, externalId: '01234567890A=' });
});
