import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createProject } from '../../src/access/projects/projects.ts';
import { startPatchbay } from '../harness.ts';
import { launchChromium, noBrowser } from './chromium.ts';
import { startSite } from './site.ts';

/** A CRM: `/callback` redirects to its other host with the received parameters, and the test defines `/page`. */
async function startCrm(t: TestContext) {
  const app = await startSite(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>CRM</title><h1>Connected</h1><pre>${request.headers.referer ?? 'no referrer'}</pre>`,
    );
  });
  const content = { html: '' };
  const heard: URLSearchParams[] = [];
  const server = await startSite(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname !== '/callback')
      return void response.setHeader('content-type', 'text/html').end(content.html);
    heard.push(searchParams);
    response.writeHead(302, { location: `${app}/done` }).end();
  });
  return { server, app, content, heard, callback: `${server}/callback` };
}

async function startStory(t: TestContext) {
  const crm = await startCrm(t);
  const patchbay = await startPatchbay(t, { config: { roles: ['api'] } });
  const { context, address } = patchbay;
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const { clientId } = await createApplication(context, { name: 'Good CRM', redirectUris: [crm.callback] });
  await createUser(context, { projectId, email: 'ann@shop.test', role: 'admin', password: 'long enough' });
  const browser = await launchChromium();
  t.after(() => browser.close());
  const grantWith = (query: object = {}): string =>
    `${address}/integrations/oauth/?${new URLSearchParams({ client_id: clientId, redirect_uri: crm.callback, ...query })}`;
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  return { crm, patchbay, projectId, clientId, browser, page, grantWith };
}

async function signIn(
  page: Page,
  password = 'long enough',
  then = 'Good CRM asks for access.',
): Promise<void> {
  await page.getByLabel('Email').fill('ann@shop.test');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByText(then).waitFor();
}

test('a partner is connected without a script or a mouse, and its server may lead on to another host', {
  skip: noBrowser,
}, async (t) => {
  const { crm, page, grantWith } = await startStory(t);
  crm.content.html = `<a href="${grantWith({ state: 'a b+c€' }).replaceAll('&', '&amp;')}">Connect</a>`;
  await page.goto(`${crm.server}/page`);
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByRole('heading', { name: 'Sign in.' }).waitFor();
  await signIn(page, 'a wrong one', 'The email or password is wrong');
  assert.ok(await page.getByRole('alert').isVisible());
  assert.equal(await page.getByLabel('Email').inputValue(), 'ann@shop.test');
  await signIn(page);
  assert.ok(await page.getByLabel('Shop').isChecked());
  for (const name of ['Shop', 'Allow']) {
    await page.keyboard.press('Tab');
    assert.ok(
      await page
        .locator(':focus')
        .evaluate((focused, wanted) => focused.closest('label, button')?.textContent?.includes(wanted), name),
    );
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  assert.equal(page.url(), `${crm.app}/done`);
  assert.equal(await page.locator('pre').textContent(), 'no referrer');
  const [told] = crm.heard;
  assert.match(told?.get('code') ?? '', /^[\w-]{43}$/);
  assert.deepEqual([told?.get('state'), told?.get('iss')], ['a b+c€', 'https://patchbay.test']);

  await page.goto(grantWith({ state: 'x' }));
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  assert.equal(crm.heard[1]?.toString(), 'error=access_denied&state=x&iss=https%3A%2F%2Fpatchbay.test');
});

test('no other site can make a signed-in browser grant access', { skip: noBrowser }, async (t) => {
  const { crm, browser, grantWith, projectId, patchbay } = await startStory(t);
  const victim = await browser.newPage();
  await victim.goto(grantWith());
  await signIn(victim);

  const escaped = grantWith().replaceAll('&', '&amp;');
  const fields = `<input name="decision" value="approve"><input name="project" value="${projectId}">`;
  crm.content.html = `<form method="post" action="${escaped}">${fields}</form><script>document.forms[0].submit()</script>`;
  await victim.goto(`${crm.server}/forge`);
  await victim.waitForURL(/integrations/);
  assert.match(victim.url(), /\/sign-in\/|\/integrations\/oauth\//);
  assert.equal(crm.heard.length, 0);

  // The same from another port of our own host: the browser sends the cookies.
  const neighbour = await startSite(
    t,
    (_request, response) => void response.setHeader('content-type', 'text/html').end(crm.content.html),
    '127.0.0.1',
  );
  await victim.goto(neighbour);
  await victim.getByRole('heading', { name: 'This page has expired.' }).waitFor();

  const blocked = victim.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  crm.content.html = `<iframe src="${escaped}" style="opacity: 0"></iframe>`;
  await victim.goto(`${crm.server}/frame`);
  await blocked;

  const session = await victim.evaluate(
    async (address) =>
      fetch(`${address}/sign-in/`, { credentials: 'include' }).then(
        () => 'read',
        () => 'kept',
      ),
    patchbay.address,
  );
  assert.equal(session, 'kept');
  assert.equal(crm.heard.length, 0);
});

test('a changed redirect address keeps the browser on our page', { skip: noBrowser }, async (t) => {
  const { crm, page, grantWith } = await startStory(t);
  const { port } = new URL(crm.server);
  const wrong = [
    `${crm.callback}/`,
    `${crm.callback}#`,
    `${crm.callback}?`,
    `${crm.server}/Callback`,
    `${crm.server}/%63allback`,
    `${crm.server}/a/../callback`,
    `http://LOCALHOST:${port}/callback`,
    `http://localhost.:${port}/callback`,
    `http://me@localhost:${port}/callback`,
    `http://localhost:${port}@127.0.0.1/callback`,
    `http://localhost:${port}\\callback`,
    `${crm.callback}\n`,
    `${crm.callback}\r\nlocation: ${crm.app}`,
    `//localhost:${port}/callback`,
    'javascript:alert(1)',
  ];
  for (const redirect_uri of wrong) {
    await page.goto(grantWith({ redirect_uri }));
    assert.equal(await page.getByRole('heading').textContent(), 'This request is not valid.', redirect_uri);
  }
  await page.goto(grantWith());
  await signIn(page);
  await page.evaluate(
    'document.forms[0].action = document.forms[0].action.replace(/redirect_uri=[^&]*/, "redirect_uri=http%3A%2F%2Flocalhost%2Fevil")',
  );
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'This request is not valid.' }).waitFor();
  assert.equal(crm.heard.length, 0);
});
