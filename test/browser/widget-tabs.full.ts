import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testDatabase } from '../database.ts';
import { addWidget, startWidgetServer } from '../widget-harness.ts';
import { launchChromium, noBrowser } from './chromium.ts';
import { startSite } from './site.ts';

const options = { skip: noBrowser };

/** A shop with the Widget, and the browser of a new visitor. */
async function startShop(t: TestContext) {
  const { sql } = await testDatabase({ after: (cleanUp) => t.after(cleanUp) });
  const server = await startWidgetServer(t, sql);
  const channel = await addWidget(server);
  const shop = await startSite(t, ({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    if (url === '/sandbox') response.setHeader('content-security-policy', 'sandbox allow-scripts');
    response.end(`<!doctype html><title>Shop</title><body>
      <script src="${server.address}/widget.js" data-channel="${channel.id}" async></script>`);
  });
  const browser = await launchChromium();
  t.after(() => browser.close());
  const context = await browser.newContext();
  const problems: string[] = [];
  context.on('weberror', (error) => problems.push(error.error().message));
  const openTab = async (path = '/') => {
    const page = await context.newPage();
    await page.goto(shop + path);
    await launcher(page).waitFor();
    return page;
  };
  /** The texts of each chat. */
  const chats = async (): Promise<string[][]> => {
    const rows = await sql<{ texts: string[] }[]>`
      select array_agg(content ->> 'text' order by content ->> 'text') as texts from messages
      group by chat_id order by 1`;
    return rows.map(({ texts }) => texts);
  };
  return { context, openTab, chats, problems };
}

const launcher = (page: Page) => page.getByRole('button', { name: /^Open the chat/ });
const bubbles = (page: Page) => page.locator('.message .text');
const bubble = (page: Page, text: string) => bubbles(page).filter({ hasText: text });
const online = (page: Page) => page.getByText('Online').waitFor();
const write = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
  await page.locator('.message.client', { hasText: text }).getByRole('img', { name: 'Sent' }).waitFor();
};

const session = (page: Page) =>
  page.evaluate(`Object.entries(localStorage).find(([key]) => !key.endsWith(':waiting'))?.[1]`);

/** Counts the page's requests, and notes a stored session. The Widget's own listener is called before this one. */
const listen = `
  var [heard, requests, browserFetch] = [false, 0, fetch];
  window.fetch = (...args) => {
    requests += 1;
    return browserFetch(...args);
  };
  addEventListener('storage', ({ key }) => {
    if (!key.endsWith(':waiting')) heard = true;
  });`;
/** Every page of this browser counts as visible. */
const hide = `Object.defineProperty(document, 'hidden', { value: true, configurable: true })`;
const show = `delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))`;

/** Two tabs that show one chat, with the message `A1`. */
async function twoTabs(openTab: () => Promise<Page>): Promise<[Page, Page]> {
  const [a, b] = [await openTab(), await openTab()];
  await launcher(a).click();
  await write(a, 'A1');
  await launcher(b).click();
  await bubble(b, 'A1').waitFor();
  return [a, b];
}

test('tabs loaded before the first opening show one conversation', options, async (t) => {
  const { openTab, chats, problems } = await startShop(t);
  const [a, b] = [await openTab(), await openTab()];
  await launcher(a).click();
  await write(a, 'A1');
  await launcher(b).click();
  await write(b, 'B1');
  assert.deepEqual(await chats(), [['A1', 'B1']]);
  await bubble(b, 'A1').waitFor();
  await bubble(a, 'B1').waitFor();
  await a.reload();
  await launcher(a).click();
  await bubble(a, 'A1').waitFor();
  await bubble(a, 'B1').waitFor();
  assert.deepEqual(problems, []);
});

for (const { where, hasLocks } of [
  { where: 'one tab asks after the other', hasLocks: true },
  { where: 'also without locks, as on a page without https', hasLocks: false },
]) {
  test(`tabs that open the chat at the same moment have one visitor: ${where}`, options, async (t) => {
    const { context, openTab, chats, problems } = await startShop(t);
    if (!hasLocks) {
      await context.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`,
      );
    }
    const [a, b] = [await openTab(), await openTab()];
    const steps: string[] = [];
    const { promise: bothOpened, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: secondAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: firstWrote, resolve: goOnToo } = Promise.withResolvers<void>();
    await a.route('**/sessions/', async (route) => {
      await bothOpened;
      const response = await route.fetch();
      steps.push('first answered');
      await route.fulfill({ response });
    });
    await b.route('**/sessions/', async (route) => {
      steps.push('second asked');
      ask();
      await firstWrote;
      await route.continue();
    });
    await launcher(a).click();
    await launcher(b).click();
    if (!hasLocks) await secondAsked;
    goOn();
    await write(a, 'A1');
    goOnToo();
    await write(b, 'B1');
    assert.deepEqual(await chats(), [['A1', 'B1']]);
    await bubble(b, 'A1').waitFor();
    assert.equal(steps[0], hasLocks ? 'first answered' : 'second asked');
    assert.deepEqual(problems, []);
  });
}

test(
  'a tab hears of a chat that begins in another one; a hidden tab connects when it is seen',
  options,
  async (t) => {
    const { openTab, chats, problems } = await startShop(t);
    const [a, seen, hidden] = [await openTab(), await openTab(), await openTab()];
    await hidden.evaluate(`${listen} ${show}; ${hide}`);
    await launcher(a).click();
    await write(a, 'A1');
    await bubble(seen, 'A1').waitFor({ state: 'attached' });
    await hidden.waitForFunction('heard');
    assert.equal(await hidden.evaluate('requests'), 0);
    await hidden.evaluate(show);
    await bubble(hidden, 'A1').waitFor({ state: 'attached' });
    assert.deepEqual(await chats(), [['A1']]);
    assert.deepEqual(problems, []);
  },
);

test('after a refusal of their session all tabs have the same new one', options, async (t) => {
  const { context, openTab, chats, problems } = await startShop(t);
  const [a, b] = [await openTab(), await openTab()];
  await launcher(a).click();
  await write(a, 'A1');
  await launcher(b).click();
  await online(b);
  const refused = await session(a);
  await context.route('**/messages/', (route) =>
    route.request().headers().authorization === `Bearer ${refused}`
      ? route.fulfill({ status: 401, headers: { 'access-control-allow-origin': '*' } })
      : route.continue(),
  );
  await write(a, 'A2');
  await write(b, 'B2');
  assert.notEqual(await session(a), refused);
  assert.equal(await session(b), await session(a));
  assert.deepEqual(await chats(), [['A1'], ['A2', 'B2']]);
  assert.deepEqual(problems, []);
});

test('the chat works in a frame that may neither store nor lock', options, async (t) => {
  const { openTab, chats, problems } = await startShop(t);
  const page = await openTab('/sandbox');
  await launcher(page).click();
  await write(page, 'A1');
  assert.deepEqual(await chats(), [['A1']]);
  assert.deepEqual(problems, []);
});

test('a sign-out in one tab signs the visitor out in the others', options, async (t) => {
  const { openTab, chats, problems } = await startShop(t);
  const [a, b] = await twoTabs(openTab);
  await a.evaluate('Patchbay.logout()');
  await bubble(b, 'A1').waitFor({ state: 'detached' });
  await launcher(b).click();
  await write(b, 'B1');
  assert.deepEqual(await chats(), [['A1'], ['B1']]);
  assert.deepEqual(problems, []);
});

test('a page that clears its storage at a sign-out signs the other tabs out, too', options, async (t) => {
  const { openTab, problems } = await startShop(t);
  const [a, b] = await twoTabs(openTab);
  await a.evaluate('localStorage.clear(); Patchbay.logout()');
  await bubble(b, 'A1').waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
});

test('a tab that hears late of a sign-out keeps the session that was opened since', options, async (t) => {
  const { openTab, chats, problems } = await startShop(t);
  const [a, b] = await twoTabs(openTab);
  const current = await session(a);
  await b.evaluate(`dispatchEvent(new StorageEvent('storage', {
    key: Object.keys(localStorage).find((key) => !key.endsWith(':waiting')), newValue: null }))`);
  await launcher(b).click();
  await bubble(b, 'A1').waitFor();
  await write(b, 'B1');
  await write(a, 'A2');
  assert.equal(await session(a), current);
  assert.deepEqual(await chats(), [['A1', 'A2', 'B1']]);
  assert.deepEqual(problems, []);
});

test('a page that signs its user out twice at once has one Widget, which forgot them', options, async (t) => {
  const { openTab, problems } = await startShop(t);
  const page = await openTab();
  await launcher(page).click();
  await online(page);
  await write(page, 'my secret order');
  const twice = 'Promise.all([Patchbay.logout(), Patchbay.logout()])';
  await page.evaluate(twice);
  assert.equal(await page.locator('patchbay-widget').count(), 1);
  assert.equal(await session(page), undefined);
  await launcher(page).click();
  await online(page);
  assert.equal(await bubble(page, 'my secret order').count(), 0);
  assert.deepEqual(problems, []);
});
