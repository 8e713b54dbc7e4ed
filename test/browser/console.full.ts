import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import { startPatchbay } from '../harness.ts';
import { startMessenger } from '../stand-ins/messenger.ts';
import { axeFindings, paint } from './axe.ts';
import { launchChromium, noBrowser } from './chromium.ts';
import { addClients } from './demo-clients.ts';

const options = { skip: noBrowser };

/** The program with its demo, and a browser in which its owner followed the printed sign-in link. */
async function startConsole(t: TestContext) {
  const patchbay = await startPatchbay(t);
  const demo = await createDemo(patchbay.context);
  assert.ok(demo);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const visitor = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
  const page = await visitor.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (said) => {
    if (said.type() === 'error') problems.push(said.text());
  });
  await page.goto(patchbay.address + new URL(demo.signInUrl).pathname);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Welcome to Patchbay' }).waitFor();
  return { ...patchbay, demo, page, problems };
}

/** Waits until the page loads nothing more. */
async function isThere(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page
    .getByRole('status', { name: /Loading|Загрузка/ })
    .first()
    .waitFor({ state: 'detached' });
}

test(
  'every page of the menu is accessible: axe finds no violation, wide and narrow, light and dark',
  options,
  async (t) => {
    const { page, problems } = await startConsole(t);
    const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link');
    const addresses = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    assert.ok(addresses.length >= 10);
    for (const colorScheme of ['light', 'dark'] as const) {
      await paint(page, colorScheme);
      for (const address of addresses) {
        await page.goto(new URL(address, page.url()).href);
        await isThere(page);
        assert.deepEqual(await axeFindings(page), [], `${address} ${colorScheme}`);
        await page.setViewportSize({ width: 390, height: 844 });
        const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.equal(overhang, 0, `${address} is wider than a telephone`);
        await page.setViewportSize({ width: 1440, height: 900 });
      }
    }
    assert.deepEqual(problems, []);
  },
);

test(
  'a marketer counts, previews, starts, follows and stops a mailing to ten thousand, and every number is right',
  options,
  async (t) => {
    const { page, context, longSql, problems } = await startConsole(t);
    const messenger = await startMessenger(t);
    const { sql } = context;
    await addClients(longSql, 10_000);
    await sql`
    update channels set settings = settings || ${sql.json({ webhook_url: messenger.url })}
    where platform = 'API_Messenger'`;
    // Slow enough for a person to see and stop it.
    await sql`update channel_pace set rate = 200, rate_ceiling = 200`;

    await page.getByRole('link', { name: 'Create a mailing' }).click();
    await page.getByLabel('Name', { exact: false }).first().fill('Autumn');
    await page.getByRole('textbox', { name: 'Text' }).fill('Dear {{name}}, tea is here.');
    await page
      .getByText(/10,00\d recipients/)
      .first()
      .waitFor();
    await page
      .getByText(/Dear .+, tea is here\./)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Check and start' }).click();
    await page.getByText(/Estimated sending time/).waitFor();
    await page.getByRole('button', { name: 'Start now' }).click();

    await page
      .getByText(/per second/)
      .first()
      .waitFor();
    await messenger.received(400);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).first().waitFor();

    const [{ sent, waiting } = { sent: 0, waiting: 1 }] = await until(
      () => sql<{ sent: number; waiting: number }[]>`
      select count(*) filter (where state = 'SENT')::int as sent,
        count(*) filter (where state in ('PENDING', 'IN_PROCESS'))::int as waiting
      from messages where mailing_id is not null`,
      ([row]) => row?.waiting === 0,
    );
    assert.equal(waiting, 0);
    assert.ok(sent >= 400 && sent < 10_000, `${sent} were sent`);
    const told = new Set(messenger.deliveries.map(({ body }) => body.payload.message.uuid));
    assert.equal(told.size, messenger.deliveries.length);
    await page.reload();
    await page.getByText(new Intl.NumberFormat('en').format(sent)).first().waitFor();
    assert.deepEqual(problems, []);
  },
);

async function until<T>(look: () => Promise<T>, isReached: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await look();
    if (isReached(found)) return found;
  }
}

test('an operator starts at the clients and sees no pages for administrators', options, async (t) => {
  const { address, context, page, problems } = await startConsole(t);
  const [project] = await context.sql<{ id: string }[]>`select id from projects`;
  const projectId = project?.id ?? '';
  const password = 'long enough';
  await createUser(context, { projectId, email: 'olga@shop.test', role: 'operator', password });
  await page.context().clearCookies();
  await page.goto(`${address}/console/`);
  await page.getByLabel('Email').fill('olga@shop.test');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Profiles' }).waitFor();
  assert.deepEqual(await page.getByRole('navigation', { name: 'Menu' }).getByRole('link').allTextContents(), [
    'Profiles',
  ]);
  await page.getByRole('link', { name: 'Anna Lind' }).click();
  await page.getByLabel('Phone').waitFor();
  await page.getByRole('link', { name: 'Chat center', exact: true }).click();
  await page.getByText('Choose a chat').waitFor();
  assert.deepEqual(problems, []);
});
