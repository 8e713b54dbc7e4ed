import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { importScenario } from '../../src/scenarios/import.ts';
import { setStarters } from '../../src/scenarios/starters.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { startScene } from '../simulator/scene.ts';
import { axeFindings } from './axe.ts';
import { launchChromium, noBrowser } from './chromium.ts';

const menu = {
  name: 'Menu',
  steps: [
    {
      id: 'ask',
      type: 'message',
      text: 'What would you like?',
      buttons: [{ text: 'Green tea', next: 'tea' }],
    },
    { id: 'tea', type: 'message', text: 'Green tea is on its way.' },
  ],
};

/** A page with its errors, also by what its policy forbids. It has new ones when its server ends. */
async function openPage(
  t: TestContext,
  browser: Browser,
  address: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ locale: 'en', ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (said) => said.type() === 'error' && problems.push(said.text()));
  await page.goto(`${address}/`);
  await page.locator('.phone').first().waitFor();
  return { page, problems };
}

async function launch(t: TestContext): Promise<Browser> {
  const browser = await launchChromium();
  t.after(() => browser.close());
  return browser;
}

test('a client writes, presses a button, sends a picture, and blocks the channel', {
  skip: noBrowser,
}, async (t) => {
  const { simulator, patchbay, partner } = await startScene(t);
  const { projectId } = partner;
  await importScenario(patchbay.context, { projectId, file: Buffer.from(JSON.stringify(menu)) });
  await setStarters(patchbay.context, projectId, [{ keyword: 'menu', scenario: 'Menu' }]);
  const { page, problems } = await openPage(t, await launch(t), simulator.address);
  const phone = page.getByRole('article').filter({ hasText: 'Viber' });
  const busy = page.getByRole('article').filter({ hasText: 'Max', hasNotText: 'Personal' });

  await phone.getByLabel('Message', { exact: true }).fill('menu');
  await phone.getByRole('button', { name: 'Send' }).click();
  await phone.getByRole('button', { name: 'Green tea' }).click();
  await phone.getByText('Green tea is on its way.').waitFor();
  await phone.getByRole('img', { name: 'Read' }).nth(1).waitFor();

  await phone.getByLabel('Attach').click();
  await phone.getByRole('button', { name: 'A picture' }).click();
  await phone.getByRole('img', { name: 'view.png' }).waitFor();
  await phone.getByRole('img', { name: 'Patchbay has it' }).nth(2).waitFor();

  await busy.getByLabel('Message', { exact: true }).fill('menu');
  await busy.getByRole('button', { name: 'Send' }).click();
  await busy.getByRole('button', { name: 'Green tea' }).click();
  await busy.getByRole('img', { name: 'Patchbay has answered the button' }).waitFor();

  await phone.getByLabel('Options').click();
  await phone.getByRole('button', { name: 'Block the channel' }).click();
  await phone.getByText('You have blocked this channel').waitFor();
  assert.deepEqual(problems, []);
});

test('a person chooses one messenger, how its provider behaves, and a crowd for it', {
  skip: noBrowser,
}, async (t) => {
  const { simulator } = await startScene(t);
  const { page, problems } = await openPage(t, await launch(t), simulator.address);
  await page.getByRole('button', { name: 'Telegram', exact: true }).click();
  const phones = page.locator('.phone:visible');
  assert.equal(await phones.count(), 1);
  await phones.getByLabel('Options').click();
  await phones.getByLabel('How the provider behaves').selectOption('down');
  await phones.locator('.badge').getByText('Down: 503').waitFor();
  assert.equal(simulator.providers.get('telegram')?.mood, 'down');

  await page.getByText('A crowd of people').click();
  await page.getByRole('combobox', { name: 'Messenger' }).selectOption('api-messenger');
  await page.getByRole('button', { name: 'Let them write' }).click();
  await page
    .getByRole('row', { name: 'API Messenger' })
    .getByRole('cell', { name: '100', exact: true })
    .waitFor();
  assert.deepEqual(problems, []);
});

test('without a channel the page says how to connect one, and takes an address where a person gives it', {
  skip: noBrowser,
}, async (t) => {
  const simulator = await startSimulator({ port: 0, host: '127.0.0.1', memoryFile: null });
  t.after(() => simulator.stop());
  const { page, problems } = await openPage(t, await launch(t), simulator.address);
  await page.getByRole('heading', { name: 'Connect Patchbay' }).waitFor();
  const phone = page.locator('#auto-ru-1');
  await phone.getByRole('button', { name: 'Copy the command that adds this channel' }).waitFor();
  await phone.getByLabel('Address of the channel').fill('http://127.0.0.1:9/channels/1/');
  await phone.getByRole('button', { name: 'Save' }).click();
  await phone.getByRole('img', { name: 'A channel is connected' }).waitFor();
  assert.deepEqual(simulator.providers.get('auto-ru')?.player.addresses(), [
    'http://127.0.0.1:9/channels/1/',
  ]);
  assert.deepEqual(problems, []);
});

test('the page is accessible, wide and narrow, light and dark, in both languages', {
  skip: noBrowser,
}, async (t) => {
  const { simulator } = await startScene(t);
  for (const provider of simulator.providers.values()) {
    await provider.say(provider.open(1), { kind: 'text', text: 'Good morning!' });
  }
  const browser = await launch(t);
  const sizes = [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ];
  for (const viewport of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await openPage(t, browser, simulator.address, {
        viewport,
        colorScheme,
        locale: 'ru',
      });
      await page.getByRole('heading', { name: 'Телефоны' }).waitFor();
      await page.getByText('Толпа людей').click();
      assert.deepEqual(await axeFindings(page), []);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(overflow) <= 0, `${viewport.width}: ${overflow}`);
      assert.deepEqual(problems, []);
    }
  }
});
