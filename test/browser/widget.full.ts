import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import { startPatchbay } from '../harness.ts';
import { startProxy } from '../proxy.ts';
import { axeFindings } from './axe.ts';
import { launchChromium, noBrowser } from './chromium.ts';

const options = { skip: noBrowser };

/** The program with its demo behind an unreliable network, and a browser. */
async function startDemo(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-widget-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const patchbay = await startPatchbay(t, { config: { dataDir } });
  const demo = await createDemo(patchbay.context);
  assert.ok(demo);
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(patchbay.address).port) });
  const browser = await launchChromium();
  t.after(async () => {
    await browser.close();
    await proxy.close();
  });
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  const push = async (text: string): Promise<string> => {
    const { status, body } = await patchbay.call('POST', '/api/partners/push-messages/', {
      headers: { 'bot-key': demo.botKey },
      body: { profile: { external_id: 'demo' }, content: { type: 'TEXT', text } },
    });
    assert.equal(status, 201);
    return body.uuid;
  };
  const stateIs = async (uuid: string, state: string): Promise<void> => {
    const headers = { 'bot-key': demo.botKey };
    for (let found = ''; found !== state; ) {
      found = (await patchbay.call('GET', `/api/partners/push-messages/${uuid}/`, { headers })).body.state
        .code;
    }
  };
  return { ...patchbay, proxy, page, problems, push, stateIs, url: `http://127.0.0.1:${proxy.port}/demo/` };
}

const bubbles = (page: Page) => page.locator('.message .text');
const bubble = (page: Page, text: string) => bubbles(page).filter({ hasText: text });
const write = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
};
const sent = (page: Page, text: string) =>
  page.locator('.message.client', { hasText: text }).getByRole('img', { name: 'Sent' });

test(
  'a push appears in the widget and is read; the answer is stored and shown as the webhook event',
  options,
  async (t) => {
    const { page, url, push, stateIs, problems, context } = await startDemo(t);
    await page.goto(url);
    await bubble(page, 'I am a real chat').waitFor();
    const uuid = await push('Hello from Patchbay');
    await bubble(page, 'Hello from Patchbay').waitFor();
    await stateIs(uuid, 'READ');

    await write(page, 'It works!');
    await sent(page, 'It works!').waitFor();
    await page.locator('#event', { hasText: '"text": "It works!"' }).waitFor();
    const [stored] = await context.sql`select content from messages where content ->> 'text' = 'It works!'`;
    assert.deepEqual({ ...stored?.content }, { text: 'It works!' });

    await page.reload();
    await bubble(page, 'It works!').waitFor();
    assert.equal(await bubbles(page).count(), 3);
    assert.deepEqual(problems, []);
  },
);

test('a cut connection loses nothing in either direction, and shows nothing twice', options, async (t) => {
  const { page, url, push, proxy, problems } = await startDemo(t);
  await page.goto(url);
  await page.getByText('Online').waitFor();
  proxy.freeze();
  await push('first in the gap');
  await write(page, 'written in the gap');
  await push('second in the gap');
  await page.getByRole('img', { name: 'Sending' }).waitFor();
  proxy.thaw();
  await sent(page, 'written in the gap').waitFor();
  await bubble(page, 'second in the gap').waitFor();
  await push('afterwards');
  await bubble(page, 'afterwards').waitFor();
  const texts = (await bubbles(page).allTextContents()).slice(1);
  assert.deepEqual(texts.toSorted(), [
    'afterwards',
    'first in the gap',
    'second in the gap',
    'written in the gap',
  ]);
  assert.deepEqual(problems, []);
});

test('a sign-out deletes all data, and the visitor is a stranger afterwards', options, async (t) => {
  const { page, url, problems, context } = await startDemo(t);
  await page.goto(url);
  await bubble(page, 'I am a real chat').waitFor();
  await write(page, 'my secret order');
  await sent(page, 'my secret order').waitFor();
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('patchbay:')));
  const [key] = await kept();
  assert.ok(key);
  // The page of the sign-out may no longer name the user.
  await page.evaluate((other) => localStorage.setItem(other, 'of another page'), `${key}ann`);
  await page.evaluate('Patchbay.logout()');
  assert.deepEqual(await kept(), []);
  assert.equal(await bubbles(page).count(), 0);

  await page.getByRole('button', { name: /^Open/ }).click();
  await write(page, 'who am I?');
  await sent(page, 'who am I?').waitFor();
  assert.deepEqual(await bubbles(page).allTextContents(), ['who am I?']);
  const [chat] = await context.sql`
    select chats.external_id from chats join messages on messages.project_id = chats.project_id and messages.chat_id = chats.id
    where content ->> 'text' = 'who am I?'`;
  assert.match(chat?.external_id, /^visitor:/);
  assert.deepEqual(problems, []);
});

test('a message that is under way at a sign-out still arrives', options, async (t) => {
  const { page, url, problems, context } = await startDemo(t);
  await page.goto(url);
  await bubble(page, 'I am a real chat').waitFor();
  const held = Promise.withResolvers<Route>();
  await page.route('**/messages/', (route) => held.resolve(route), { times: 1 });
  await write(page, 'one more thing');
  const call = await held.promise;
  await page.evaluate('Patchbay.logout()');
  await call.continue();
  const stored = () => context.sql`select from messages where content ->> 'text' = 'one more thing'`;
  while ((await stored()).length === 0);
  const kept = 'Object.keys(localStorage).filter((key) => key.startsWith("patchbay:"))';
  assert.deepEqual(await page.evaluate(kept), []);
  assert.deepEqual(problems, []);
});

test('a message is text and never becomes HTML', options, async (t) => {
  const { page, url, push } = await startDemo(t);
  await page.goto(url);
  const evil = '<img src=x onerror="document.title=1"> javascript:alert(1) https://shop.example/?a=1';
  await push(evil);
  await bubble(page, '<img src=x').waitFor();
  assert.equal(await bubble(page, '<img').textContent(), evil);
  const links = page.locator('.message a');
  assert.equal(await links.count(), 1);
  assert.equal(await links.getAttribute('href'), 'https://shop.example/?a=1');
  assert.equal(await links.getAttribute('target'), '_blank');
  assert.match((await links.getAttribute('rel')) ?? '', /noopener/);
  assert.equal(await page.locator('.message img').count(), 0);
});

test('the keyboard suffices, and a closed chat counts new messages', options, async (t) => {
  const { page, url, push, stateIs } = await startDemo(t);
  await page.goto(url);
  await page.getByText('Online').waitFor();
  await page.getByLabel('Message', { exact: true }).focus();
  await page.keyboard.press('Escape');
  const launcher = page.getByRole('button', { name: 'Open the chat' });
  await launcher.waitFor();
  assert.equal(await page.evaluate('document.activeElement?.tagName'), 'PATCHBAY-WIDGET');

  const uuid = await push('Are you still there?');
  await page.getByRole('button', { name: 'Open the chat, 1 unread' }).waitFor();
  await page.locator('.preview', { hasText: 'Are you still there?' }).waitFor();
  await stateIs(uuid, 'DELIVERED');
  await page.keyboard.press('Enter');
  await stateIs(uuid, 'READ');
  await page.keyboard.type('Yes, here');
  await page.keyboard.press('Enter');
  await sent(page, 'Yes, here').waitFor();
});

test(
  'an allowed origin shows the widget under a strict policy; another origin does not',
  options,
  async (t) => {
    const { context, address, page, problems } = await startDemo(t);
    const shop = createServer((_request, response) => {
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src ${address}; connect-src ${address}; style-src 'none'`,
      );
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Shop</title><body>
      <script src="${address}/widget.js" data-channel="${channel.id}" data-open async></script>`);
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    t.after(async () => void shop.close());
    const listening = shop.address();
    const origin = `http://127.0.0.1:${typeof listening === 'object' ? listening?.port : ''}`;
    const [project] = await context.sql<{ id: string }[]>`select id from projects`;
    const channel = await addChannel(context, {
      projectId: String(project?.id),
      platform: 'Widget',
      name: 'Shop',
      settings: { allowed_origins: origin, title: 'Butik', position: 'left', accent: '#f2b705' },
    });

    await page.goto(origin);
    await page.getByText('Online').waitFor();
    const panel = page.getByRole('dialog', { name: 'Butik' });
    assert.ok(((await panel.boundingBox())?.x ?? Number.POSITIVE_INFINITY) < 100);
    await write(page, 'Do you ship to Malmö?');
    await sent(page, 'Do you ship to Malmö?').waitFor();
    await page.reload();
    await bubble(page, 'Do you ship to Malmö?').waitFor();

    await context.sql`
    update channels set settings = settings || '{"allowed_origins": "https://elsewhere.test"}' where id = ${channel.id}`;
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.getByText('Not available on this page').waitFor();
    assert.deepEqual(problems, []);
  },
);

const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

test(
  'a client sends a picture and a document, and sees why another file is refused; axe finds nothing',
  options,
  async (t) => {
    const { page, url, address, context, problems } = await startDemo(t);
    const { publicUrl } = context.config;
    await page.route(`${publicUrl}/**`, async (route) => {
      const here = route.request().url().replace(publicUrl, address);
      await route.fulfill({ response: await page.request.fetch(here) });
    });
    await page.goto(url);
    await page.getByText('Online').waitFor();
    await page.locator('input[type=file]').setInputFiles([
      { name: 'cat.gif', mimeType: 'image/gif', buffer: gif },
      { name: 'Прайс.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b') },
      { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    ]);
    const picture = page.locator('.message.client').getByRole('link').getByRole('img', { name: 'Image' });
    await picture.waitFor();
    assert.match((await picture.getAttribute('src')) ?? '', /^https:\/\/patchbay\.test\/files\//);
    // Does not wait for a function in the page: the page's policy forbids the evaluation that this repeats.
    const width =
      'document.querySelector("patchbay-widget").shadowRoot.querySelector("img.picture").naturalWidth';
    while ((await page.evaluate(width)) !== 1);
    await page.getByRole('link', { name: 'Прайс.csv' }).waitFor();
    await page.getByText('files of this type are not accepted').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(problems, []);
  },
);

test('messages written offline are sent once online, even if the page was left', options, async (t) => {
  const { page, url, context } = await startDemo(t);
  await page.goto(url);
  await page.getByText('Online').waitFor();
  await page.context().setOffline(true);
  await write(page, 'written on the train');
  await page.getByRole('img', { name: 'Sending' }).waitFor();
  await page.getByText('No connection. Messages will be sent later').waitFor();
  await page.goto('about:blank');
  await page.context().setOffline(false);
  await page.goto(url);
  await sent(page, 'written on the train').waitFor();
  assert.equal(await bubble(page, 'written on the train').count(), 1);
  const stored = await context.sql`select from messages where content ->> 'text' = 'written on the train'`;
  assert.equal(stored.length, 1);
  await page.reload();
  await page.getByText('Online').waitFor();
  assert.equal(await bubble(page, 'written on the train').count(), 1);
});
