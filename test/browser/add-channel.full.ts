import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { platforms } from '../../src/channels/contract/platforms.ts';
import { webhookSecret } from '../../src/channels/messengers/telegram/settings.ts';
import { startGateway } from '../../src/simulator/max-personal/provider.ts';
import { refusal, startTelegram } from '../../src/simulator/telegram/provider.ts';
import { startAdministrator } from './administrator.ts';
import { axeFindings, paint } from './axe.ts';
import { noBrowser } from './chromium.ts';

const options = { skip: noBrowser };

async function isFine(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await paint(page, colorScheme);
    assert.deepEqual(await axeFindings(page), [], `${where} ${colorScheme}`);
  }
}

test(
  'a person adds a Telegram bot by the guide, writes to it, and answers, all on one page',
  options,
  async (t) => {
    const telegram = await startTelegram(t);
    const right = '1:right-token';
    const bot = { ok: true, result: { id: 1, first_name: 'Tea', username: 'tea_bot' } };
    telegram.react(({ token, method }) => {
      if (token !== right) return refusal(401, 'Unauthorized');
      return method === 'getMe' ? { status: 200, body: bot } : null;
    });
    const { patchbay, page, problems, root } = await startAdministrator(t);

    await page.goto(`${root}channels/new/`);
    await page.getByRole('link', { name: 'Telegram', exact: true }).click();
    await page.getByRole('heading', { name: 'Copy its token' }).waitFor();
    await page.getByText('Optional').click();
    await page.getByLabel('API server').fill(telegram.root);
    await page.getByLabel('Bot token').fill('1:wrong-token');
    await page.getByText('Telegram refused: Unauthorized.').waitFor();
    await isFine(page, 'a wrong token');
    assert.equal((await patchbay.context.sql`select 1 from channels`).length, 0);
    await page.getByLabel('Bot token').fill(right);
    await page.getByText('Tea (@tea_bot)').waitFor();
    await page.getByRole('button', { name: 'Add a channel' }).click();

    await page.getByText('Waiting for the first message…').waitFor();
    const invitation = page.getByRole('link', { name: 'Write to the channel' });
    assert.equal(await invitation.getAttribute('href'), 'https://t.me/tea_bot');
    await page.getByRole('img', { name: /Code with the address.*tea_bot/ }).waitFor();
    await isFine(page, 'waiting');

    const registered = telegram.calls.findLast(({ method }) => method === 'setWebhook');
    const path = new URL(registered?.parameters.url).pathname;
    const from = { id: 7, is_bot: false, first_name: 'Ann' };
    const chat = { id: 7, type: 'private', first_name: 'Ann' };
    const message = { message_id: 5, date: 1, text: 'Do you have oolong?', chat, from };
    const { status } = await patchbay.call('POST', path, {
      headers: { 'x-telegram-bot-api-secret-token': webhookSecret({ bot_token: right }) },
      body: { update_id: 1, message },
    });
    assert.equal(status, 200);
    await page.getByText('Do you have oolong?').waitFor();
    await page.getByLabel('Your answer').fill('Of course.');
    await page.getByRole('button', { name: 'Send' }).click();
    const sent = await telegram.called(({ method }) => method === 'sendMessage');
    assert.deepEqual([sent.parameters.chat_id, sent.parameters.text], [7, 'Of course.']);
    await page.getByText('Sent', { exact: true }).waitFor();
    await isFine(page, 'answered');
    assert.deepEqual(problems, []);
  },
);

test(
  'an account without an API is added by its gateway, and a text opens a chat by phone number',
  options,
  async (t) => {
    const gateway = await startGateway(t, { instance_id: '3100', api_token: 'right' });
    gateway.accounts.set(79_991_234_567, '777');
    let stateInstance = 'notAuthorized';
    gateway.react(({ path }) =>
      path === '/v3/waInstance3100/getStateInstance/right' ? { status: 200, body: { stateInstance } } : null,
    );
    const { page, problems, root } = await startAdministrator(t);
    await page.goto(`${root}channels/new/?platform=Max_Personal`);
    await page.getByText('Optional').click();
    await page.getByLabel('API server').fill(gateway.root);
    await page.getByLabel('Number of the instance').fill('3100');
    await page.getByLabel('Token of the instance').fill('right');
    await page.getByText('The instance is notAuthorized: connect the account first.').waitFor();
    stateInstance = 'authorized';
    // The same values are asked about again once they are entered again.
    await page.getByLabel('Number of the instance').fill('31000');
    await page.getByText('The gateway refused').waitFor();
    await page.getByLabel('Number of the instance').fill('3100');
    await page.getByText('Instance: authorized').waitFor();
    await page.getByRole('button', { name: 'Add a channel' }).click();

    await page.getByLabel('Phone number').fill('+79991234567');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Good day');
    await page.getByRole('button', { name: 'Send' }).click();
    const sent = await gateway.called(({ path }) => path.includes('/sendMessage/'));
    assert.deepEqual(JSON.parse(sent.body.toString()), { chatId: '777', message: 'Good day' });
    await page.getByText('Sent', { exact: true }).waitFor();
    await isFine(page, 'sent by phone');
    assert.deepEqual(problems, []);
  },
);

test(
  'the guide of every messenger is accessible and fits a telephone, in Russian too',
  options,
  async (t) => {
    const { page, problems, root } = await startAdministrator(t, 'ru');
    for (const platform of platforms) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${root}channels/new/?platform=${platform}`);
      await page.getByRole('heading', { name: 'Назовите канал' }).waitFor();
      const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.equal(overhang, 0, `${platform} is wider than a telephone`);
      await page.setViewportSize({ width: 1440, height: 900 });
      await isFine(page, platform);
    }
    assert.deepEqual(problems, []);
  },
);
