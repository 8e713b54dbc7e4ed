import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createDemo } from '../../src/demo/create-demo.ts';
import { startPatchbay } from '../harness.ts';
import { startMessenger } from '../stand-ins/messenger.ts';
import { launchChromium } from './chromium.ts';

/**
 * `node test/browser/pictures.ts <folder> [page…]`: every page of the console and the chat center in the demo’s project, wide and
 * narrow, light and dark. For people who want to look at what they have changed.
 */

const [folder = 'pictures', ...wanted] = process.argv.slice(2);
const pages = [
  '',
  'mailings/',
  'mailings/new/',
  'profiles/',
  'scenarios/',
  'templates/',
  'promocodes/',
  'channels/',
  'widget/',
  'webhooks/',
  'applications/',
  'team/',
  'settings/',
];
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
const schemes = ['light', 'dark'] as const;

const cleanUps: (() => Promise<void>)[] = [];
const lifetime = { after: (cleanUp: () => Promise<void>) => void cleanUps.unshift(cleanUp) };
const patchbay = await startPatchbay(lifetime);
const { context, address, call } = patchbay;
const demo = await createDemo(context);
if (!demo) throw new Error('the demo was not made');
const messenger = await startMessenger(lifetime);
await context.sql`
  update channels set settings = settings || ${context.sql.json({ webhook_url: messenger.url })} where platform = 'API_Messenger'`;
await call('POST', '/api/partners/mailings/', {
  headers: { 'bot-key': demo.botKey },
  body: { name: 'Autumn tea', text: 'Hi {{name}}, look: https://example.com/tea', filter_chats: { all: [] } },
});
const [project] = await context.sql<{ id: string }[]>`select id from projects`;

mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
lifetime.after(() => browser.close());
const signInPath = new URL(demo.signInUrl).pathname;
const cookies = await signedIn(browser);
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of schemes) {
    const visitor = await browser.newContext({ viewport, colorScheme, storageState: cookies });
    const page = await visitor.newPage();
    page.on('pageerror', ({ message }) => process.stderr.write(`${page.url()}: ${message}\n`));
    page.on('console', (said) => {
      if (said.type() === 'error') process.stderr.write(`${page.url()}: ${said.text()}\n`);
    });
    for (const path of [...pages.map((name) => `/console/${project?.id}/${name}`), '/chat-center/']) {
      const name =
        path.split('/').slice(3).join('-').replace(/-$/, '') || (path === '/chat-center/' ? 'chats' : 'home');
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await page.goto(address + path);
      // The chat center's live connection never rests.
      await page.waitForLoadState(path === '/chat-center/' ? 'load' : 'networkidle');
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
    }
    await visitor.close();
  }
}
for (const cleanUp of cleanUps) await cleanUp();

async function signedIn(chromium: Browser) {
  const visitor = await chromium.newContext();
  const page = await visitor.newPage();
  await page.goto(address + signInPath);
  await page.getByRole('button').first().click();
  await page.waitForURL(/console/);
  return visitor.storageState();
}
