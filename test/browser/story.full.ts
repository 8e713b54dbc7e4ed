import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createProject } from '../../src/access/projects/projects.ts';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { setStarters } from '../../src/scenarios/starters.ts';
import { startPatchbay } from '../harness.ts';
import { startMessenger } from '../stand-ins/messenger.ts';
import { launchChromium, noBrowser } from './chromium.ts';
import { startSite } from './site.ts';

const password = 'long enough';
const greeting = {
  name: 'Greeting',
  steps: [
    {
      id: 'what',
      type: 'ask',
      text: 'Welcome! What is it about?',
      check: 'choice',
      options: [{ text: 'My order' }, { text: 'Something else' }],
      keep: { variable: 'topic' },
    },
    { id: 'human', type: 'operator', text: 'One moment, a colleague will help.', title: '{{topic}}' },
  ],
};

/** A CRM: it connects at `/connect`, receives the code at `/callback`, and frames an operator's chats at `/chats`. */
async function startCrm(t: TestContext) {
  const crm = { origin: '', grant: '', frame: '', code: '' };
  crm.origin = await startSite(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/callback') crm.code = searchParams.get('code') ?? '';
    const pages: Record<string, string> = {
      '/connect': `<a href="${crm.grant.replaceAll('&', '&amp;')}">Connect</a>`,
      '/callback': '<h1>Connected</h1>',
      '/chats': `<iframe src="${crm.frame}" title="Chats" style="width: 100%; height: 860px"></iframe>`,
    };
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>CRM</title>${pages[pathname] ?? ''}`);
  });
  return crm;
}

/** A shop’s site on its own origin; every page shows the Widget. */
const startShop = (t: TestContext, address: string, channel: string): Promise<string> =>
  startSite(
    t,
    (_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Shop</title><body>
        <script src="${address}/widget.js" data-channel="${channel}" data-title="Shop" data-open async></script>`);
    },
    '127.0.0.1',
  );

async function startStory(t: TestContext) {
  const crm = await startCrm(t);
  const patchbay = await startPatchbay(t);
  const { context, address } = patchbay;
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const { clientId, clientSecret } = await createApplication(context, {
    name: 'Good CRM',
    redirectUris: [`${crm.origin}/callback`],
  });
  await createUser(context, { projectId, email: 'ann@shop.test', role: 'admin', password });
  await importScenario(context, { projectId, file: Buffer.from(JSON.stringify(greeting)) });
  await setStarters(context, projectId, [{ keyword: '', scenario: greeting.name }]);
  const { id: channel } = await addChannel(context, {
    projectId,
    platform: 'Widget',
    name: 'Shop',
    settings: {},
  });
  crm.grant = `${address}/integrations/oauth/?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: `${crm.origin}/callback`,
    state: 'story',
  })}`;
  const shop = await startShop(t, address, channel);
  const receiver = await startMessenger(t);
  const browser = await launchChromium(['--test-third-party-cookie-phaseout']);
  t.after(() => browser.close());
  return { patchbay, crm, shop, receiver, browser, application: { clientId, clientSecret } };
}

type Story = Awaited<ReturnType<typeof startStory>>;

/** An administrator allows the CRM access. The CRM gets its token and sets its webhook. */
async function connect({ patchbay, crm, receiver, browser, application }: Story) {
  const page = await browser.newPage();
  await page.goto(`${crm.origin}/connect`);
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByLabel('Email').fill('ann@shop.test');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  const { body: tokens } = await patchbay.call('POST', '/api/partners/oauth/', {
    body: {
      grant_type: 'code',
      client_id: application.clientId,
      client_secret: application.clientSecret,
      redirect_uri: `${crm.origin}/callback`,
      code: crm.code,
    },
  });
  const token = { authorization: `Bearer ${tokens.access_token}` };
  const { status, body } = await patchbay.call('PUT', '/api/partners/integrations/credentials/', {
    headers: token,
    body: { webhook_url: receiver.url },
  });
  assert.equal(status, 200);
  await page.close();
  return { token, secret: String(body.webhook_secret) };
}

/** Resolves when one of these events arrives. */
async function heard({ receiver }: Story, type: string, count = 1): Promise<void> {
  const found = () => receiver.deliveries.filter(({ body }) => body.event_type === type).length;
  while (found() < count) await receiver.received(receiver.deliveries.length + 1);
}

/** A client in the shop. */
async function enterShop({ shop, browser }: Story) {
  const page = await (await browser.newContext({ locale: 'en' })).newPage();
  await page.goto(shop);
  return {
    page,
    write: async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    },
    sees: (text: string) => page.locator('.message', { hasText: text }).waitFor(),
  };
}

/** An operator in the CRM, whose page frames the chat center of another site. */
async function openChats(
  { patchbay, crm, browser }: Story,
  token: Record<string, string>,
): Promise<FrameLocator> {
  const { body } = await patchbay.call('POST', '/api/partners/iframe/', {
    headers: token,
    body: { operator: { email: 'olga@crm.test' } },
  });
  crm.frame = String(body.url).replace('https://patchbay.test', patchbay.address);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${crm.origin}/chats`);
  return page.frameLocator('iframe');
}

/** A picture with one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a partner connects, a client meets a scenario and then an operator, and the partner gets all events in order', {
  skip: noBrowser,
}, async (t) => {
  const story = await startStory(t);
  const { receiver } = story;
  const { token, secret } = await connect(story);

  const client = await enterShop(story);
  await client.write('Hello?');
  await client.sees('Welcome! What is it about?');
  await client.page.getByRole('button', { name: 'My order' }).click();
  await client.sees('One moment, a colleague will help.');

  const chats = await openChats(story, token);
  await chats.getByRole('tab', { name: /Waiting/ }).click();
  await chats.locator('a[data-chat]').click();
  await chats.getByText('Hello?').waitFor();
  await chats.getByRole('button', { name: 'Take' }).click();
  const field = chats.getByRole('textbox', { name: /^Message to/ });
  await field.fill('Good morning, I am Olga.');
  await field.press('Enter');
  await client.sees('Good morning, I am Olga.');
  await chats
    .locator('input[type=file]')
    .setInputFiles({ name: 'parcel.png', mimeType: 'image/png', buffer: picture });
  await chats.getByText('Ready to send').waitFor();
  await chats.getByRole('button', { name: 'Send' }).click();
  await client.page.locator('.message img').waitFor();
  await client.write('Thank you!');
  await chats.getByText('Thank you!').waitFor();
  await chats.getByRole('button', { name: 'Close' }).click();
  await chats.getByRole('combobox', { name: 'Category' }).fill('Delivery');
  await chats.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  await chats.getByRole('log').getByText('Delivery').waitFor();
  await heard(story, 'operator_replied', 2);
  await heard(story, 'message_created', 3);

  const events = receiver.deliveries.slice(1);
  for (const { raw, headers } of events) {
    new Webhook(secret).verify(raw, { ...headers } as Record<string, string>);
  }
  const told = events.map(({ body: { event_type, payload } }) => [
    event_type,
    payload.message?.text ?? payload.message?.type ?? payload.session?.title,
  ]);
  assert.deepEqual(
    told.filter(([type]) => type !== 'message_updated'),
    [
      ['message_created', 'Hello?'],
      ['message_created', 'My order'],
      ['session_updated', 'My order'],
      ['session_updated', 'My order'],
      ['operator_replied', 'Good morning, I am Olga.'],
      ['operator_replied', 'image'],
      ['message_created', 'Thank you!'],
    ],
  );
});
