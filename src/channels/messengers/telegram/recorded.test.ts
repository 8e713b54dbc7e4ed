import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { areRead, areUnderstood, recordedBeside } from '../../../../test/recorded.ts';
import { startTelegram } from '../../../simulator/telegram/provider.ts';
import { telegram } from './adapter.ts';
import { webhookSecret } from './settings.ts';

const recorded = recordedBeside(import.meta.dirname);
const settings = { bot_token: '123456:AAE-secret_token' };

test('webhooks in the shape that others recorded are read', () => {
  const headers = { 'x-telegram-bot-api-secret-token': webhookSecret(settings) };
  areRead(recorded, (body) => deliver(telegram, settings, { headers, body }));
});

test('answers in the shape that others recorded are understood', async (t) => {
  const { reactToCall: react, root } = await startTelegram(t);
  await areUnderstood(t, recorded, {
    adapter: telegram,
    settings,
    provider: { react, root },
    externalId: '6527065000',
  });
});
