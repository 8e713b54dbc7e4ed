import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { issueToken } from '../../src/access/oauth/issue-token.ts';
import { createProject } from '../../src/access/projects/projects.ts';
import { startPatchbay } from '../harness.ts';
import { launchChromium, noBrowser } from './chromium.ts';

/** A CRM's server: its pages frame an address of ours. It is `localhost`, which is another site than 127.0.0.1. */
async function startCrm(t: TestContext): Promise<{ origin: string; pageWith: (frame: string) => string }> {
  const server = createServer((request, response) => {
    const frame = new URL(request.url ?? '', 'http://localhost').searchParams.get('frame');
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>CRM</title><iframe src="${frame}"></iframe>`);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  t.after(async () => void server.close());
  const listening = server.address();
  const origin = `http://localhost:${typeof listening === 'object' ? listening?.port : ''}`;
  return { origin, pageWith: (frame) => `${origin}/?frame=${encodeURIComponent(frame)}` };
}

test('a link works in a frame of another site where third-party cookies are blocked', {
  skip: noBrowser,
}, async (t) => {
  const { context, address, call } = await startPatchbay(t, { config: { roles: ['api'] } });
  const [crm, stranger] = [await startCrm(t), await startCrm(t)];
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const { clientId: applicationId } = await createApplication(context, {
    name: 'CRM',
    redirectUris: [`${crm.origin}/callback`],
  });
  const { access_token } = await issueToken(context, { projectId, applicationId });
  const newLink = async (): Promise<string> => {
    const { body } = await call('POST', '/api/partners/iframe/', {
      headers: { authorization: `Bearer ${access_token}` },
      body: { operator: { email: 'anna@crm.test' } },
    });
    return String(body.url).replace('https://patchbay.test', address);
  };
  const browser = await launchChromium(['--test-third-party-cookie-phaseout']);
  t.after(() => browser.close());
  const [page, elsewhere] = [await browser.newPage(), await (await browser.newContext()).newPage()];

  const link = await newLink();
  const sessionBehind = async (address: string): Promise<string | null> => {
    await page.goto(crm.pageWith(address));
    return page.frameLocator('iframe').locator('html').getAttribute('data-frame');
  };
  const session = await sessionBehind(link);
  assert.ok(session);
  assert.equal(await sessionBehind(link), session);
  const other = await sessionBehind(await newLink());
  assert.ok(other && other !== session);
  assert.equal(await sessionBehind(link), session);

  await elsewhere.goto(crm.pageWith(link));
  assert.equal(
    await elsewhere.frameLocator('iframe').getByRole('heading').textContent(),
    'The chat center does not open here.',
  );

  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(stranger.pageWith(await newLink()));
  assert.ok(await refused);
});
