import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { platforms } from '../../src/channels/contract/platforms.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { startPatchbay } from '../harness.ts';
import { signIn } from '../person.ts';
import { startMessenger } from '../stand-ins/messenger.ts';
import { launchChromium } from './chromium.ts';
import { addClients } from './demo-clients.ts';

/**
 * `node test/browser/pictures.ts <folder> [page…]`: takes pictures of every page of the console and the chat center
 * in the demo’s project, wide and narrow, light and dark, in English and Russian. Use it to look at changed pages.
 */

const [folder = 'pictures', ...wanted] = process.argv.slice(2);
const menu = [
  '',
  'mailings/',
  'mailings/new/',
  'mailings/calendar/',
  'audiences/',
  'profiles/',
  'scenarios/',
  'scenarios/new/',
  'templates/',
  'promocodes/',
  'consent/',
  'channels/',
  'channels/new/',
  'widget/',
  'webhooks/',
  'applications/',
  'team/',
  'settings/',
];
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
const schemes = ['light', 'dark'] as const;
const locales = ['en', 'ru'];
const looks = Object.entries(sizes).flatMap(([size, viewport]) =>
  schemes.flatMap((colorScheme) =>
    locales.map((locale) => ({ suffix: `${size}-${colorScheme}-${locale}`, viewport, colorScheme, locale })),
  ),
);

const cleanUps: (() => Promise<void>)[] = [];
const lifetime = { after: (cleanUp: () => Promise<void>) => void cleanUps.unshift(cleanUp) };
const patchbay = await startPatchbay(lifetime);
const { context, longSql, address, call } = patchbay;
const demo = await createDemo(context);
if (!demo) throw new Error('the demo was not made');
const messenger = await startMessenger(lifetime);
await context.sql`
  update channels set settings = settings || ${context.sql.json({ webhook_url: messenger.url })} where platform = 'API_Messenger'`;
await addClients(longSql, 3_000);
await context.sql`update channel_pace set rate = 20, rate_ceiling = 20`;
const mailing = await call('POST', '/api/partners/mailings/', {
  headers: { 'bot-key': demo.botKey },
  body: {
    name: 'Autumn tea',
    text: 'Hi {{name}}, look: https://example.com/tea',
    filter_chats: { all: [{ type: 'profile_attribute', name__startswith: 'Client' }] },
  },
});
const [project] = await context.sql<{ id: string }[]>`select id from projects`;
const projectId = project?.id ?? '';
const [chat] = await context.sql<{ id: string }[]>`select id from chats where name = 'Anna Lind'`;
await talk(chat?.id ?? '');
const drawn = await importScenario(context, {
  projectId,
  file: readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'examples', 'sizes.json')),
});

const pages: [name: string, path: string][] = [
  ...menu.map((path): [string, string] => [
    path.replaceAll('/', '-').replace(/-$/, '') || 'home',
    `/console/${projectId}/${path}`,
  ]),
  ...platforms.map((platform): [string, string] => [
    `new-${platform}`,
    `/console/${projectId}/channels/new/?platform=${platform}`,
  ]),
  ['mailing', `/console/${projectId}/mailings/${mailing.body.uuid}/`],
  ['scenario', `/console/${projectId}/scenarios/${drawn.id}/`],
  ['scenario-versions', `/console/${projectId}/scenarios/${drawn.id}/versions/`],
  ['chats', `/chat-center/?project=${projectId}#list=all&chat=${chat?.id}`],
];

mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
lifetime.after(() => browser.close());
const signInPath = new URL(demo.signInUrl).pathname;
const cookies = await signedIn(browser);
for (const { suffix, ...look } of looks) {
  const visitor = await browser.newContext({ ...look, storageState: cookies });
  const page = await visitor.newPage();
  page.on('pageerror', ({ message }) => process.stderr.write(`${page.url()}: ${message}\n`));
  page.on('console', (said) => {
    if (said.type() === 'error') process.stderr.write(`${page.url()}: ${said.text()}\n`);
  });
  for (const [name, path] of pages) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await page.goto(address + path);
    // The chat center's live connection never becomes idle.
    await page.waitForLoadState(name === 'chats' ? 'load' : 'networkidle');
    if (name === 'scenario') await page.locator('[data-card]').first().waitFor();
    if (name === 'chats') await page.getByRole('log').waitFor();
    await page.getByRole('heading').first().waitFor();
    await page
      .getByRole('status', { name: /Loading|Загрузка/ })
      .first()
      .waitFor({ state: 'detached' });
    await page.screenshot({ path: join(folder, `${name}-${suffix}.png`), fullPage: name.startsWith('new-') });
  }
  await visitor.close();
}
for (const cleanUp of cleanUps) await cleanUp();

/** Messages for a chat that already has the client’s question. */
async function talk(chatId: string): Promise<void> {
  const { headers } = await signIn(context, { projectId, name: 'Olga' });
  const say = (path: string, body: object) =>
    call('POST', `/chat-center/api/chats/${chatId}/${path}/`, { headers, body });
  await say('take', {});
  await say('messages', {
    id: context.newId(),
    type: 'text',
    text: 'Good morning, Anna! It left our shop last night and will be with you tomorrow.',
  });
  await say('notes', {
    id: context.newId(),
    text: 'Second parcel this month; she has the regulars’ discount.',
  });
}

async function signedIn(chromium: Browser) {
  const visitor = await chromium.newContext();
  const page = await visitor.newPage();
  await page.goto(address + signInPath);
  await page.getByRole('button').first().click();
  await page.waitForURL(/console/);
  return visitor.storageState();
}
