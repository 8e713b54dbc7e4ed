import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testOutbound } from '../../test/outbound.ts';
import { adapterFor } from '../channels/registry.ts';
import { type BotCall, refusal, startTelegram } from '../simulator/telegram/provider.ts';
import { askSettings, sayFirstSteps } from './guide-channel.ts';

const outbound = testOutbound({ after });

/** A person who gives these answers, and the words that they see. */
function personWith(...answers: string[]) {
  const seen: string[] = [];
  const hidden: string[] = [];
  return {
    seen,
    hidden,
    isDone: () => answers.length === 0,
    person: {
      ask: async (question: string, answer: 'open' | 'secret') => {
        seen.push(question);
        if (answer === 'secret') hidden.push(question);
        const next = answers.shift();
        assert.ok(next !== undefined, `no answer to: ${question}`);
        return next;
      },
      say: (text: string) => void seen.push(text),
    },
  };
}

const known = (platform: 'Telegram' | 'Whatsapp' | 'Email') => {
  const adapter = adapterFor(platform);
  assert.ok(adapter);
  return adapter;
};

test('the command line asks in the words of the guide, hides secrets, and asks again after a refusal', async () => {
  const telegram = await startTelegram({ after });
  const bot = { ok: true, result: { id: 1, first_name: 'Tea', username: 'tea_bot' } };
  telegram.react(({ token, method }: BotCall) => {
    if (token !== '1:right') return refusal(401, 'Unauthorized');
    return method === 'getMe' ? { status: 200, body: bot } : null;
  });
  const adapter = known('Telegram');
  const { person, seen, hidden, isDone } = personWith('', 'not a token', '1:wrong', '1:right');
  const settings = await askSettings({ person, outbound }, adapter, { api_root: telegram.root });
  assert.deepEqual(settings, { api_root: telegram.root, bot_token: '1:right' });
  assert.ok(isDone());
  const all = seen.join('\n');
  for (const { title, text, isRare } of adapter.guide.before) {
    assert.equal(all.includes(title.en) && all.includes(text.en), !isRare, title.en);
  }
  assert.match(all, /Telegram refused: Unauthorized\.[\s\S]*Bot: Tea \(@tea_bot\)/);
  assert.equal(hidden.length, 4);
  assert.ok(!all.includes('1:right'));

  await sayFirstSteps({ person, outbound }, adapter, { id: 'c', settings }, 'https://patchbay.test');
  assert.match(seen.at(-1) ?? '', /Write to yourself\.[\s\S]*https:\/\/t\.me\/tea_bot/);
});

test('an empty answer skips what is optional', async () => {
  const { person } = personWith('shop@example.com', '', 'smtps://a:b@mail.example:465', '');
  const settings = await askSettings({ person, outbound }, known('Email'), {});
  assert.deepEqual(settings, { from: 'shop@example.com', smtp_url: 'smtps://a:b@mail.example:465' });
});

test('a random value is made for an empty answer, and the address for the provider is shown', async () => {
  const adapter = known('Whatsapp');
  const given = { phone_number_id: '1', waba_id: '2', access_token: 't', app_secret: 's' };
  const { person, seen } = personWith('');
  const settings = await askSettings({ person, outbound }, adapter, given);
  assert.match(settings.verify_token ?? '', /^[\w-]{40,}$/);
  const channel = { id: 'c', settings: { ...settings, api_root: 'http://127.0.0.1:1' } };
  await sayFirstSteps({ person, outbound }, adapter, channel, 'https://patchbay.test');
  const all = seen.join('\n');
  assert.ok(all.includes('https://patchbay.test/channels/c/') && all.includes(settings.verify_token ?? ''));
});
