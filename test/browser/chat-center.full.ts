import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createPartner, startPatchbay } from '../harness.ts';
import { startProxy } from '../proxy.ts';
import { axeFindings, paint } from './axe.ts';
import { launchChromium, noBrowser } from './chromium.ts';
import { startSite } from './site.ts';

const options = { skip: noBrowser };

/** The program behind an unreliable network, and a browser, for all tests of this file. */
async function startProgram() {
  const patchbay = await startPatchbay({ after });
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(patchbay.address).port) });
  const browser = await launchChromium(['--test-third-party-cookie-phaseout']);
  after(async () => {
    await browser.close();
    await proxy.close();
  });
  return { ...patchbay, proxy, browser, origin: `http://127.0.0.1:${proxy.port}` };
}

const program = noBrowser ? undefined : await startProgram();

/** A partner with a messenger, and an operator with their own page. */
async function startStory(t: TestContext) {
  assert.ok(program);
  const { context, browser, origin, call } = program;
  const partner = await createPartner(t, program);
  const { projectId, channel } = partner;
  const email = `${projectId}@shop.test`;
  await createUser(context, { projectId, email, role: 'operator', password: 'long enough' });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  t.after(() => page.close());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  /** A client’s next message, sent around the unreliable network. */
  const write = (name: string, text: string) =>
    call('POST', `/channels/${channel.id}/messages/`, {
      headers: { authorization: `Bearer ${channel.secret}` },
      body: { chat: { external_id: name }, message: { external_id: text, type: 'text', text } },
    });
  const signIn = async () => {
    await page.goto(`${origin}/chat-center/?project=${projectId}`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('long enough');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a chat').waitFor();
  };
  return { ...program, partner, page, problems, write, signIn };
}

const row = (page: Page | Frame, name: string) => page.getByRole('listitem').getByRole('link', { name });
const said = (page: Page | Frame, text: string) =>
  page.getByRole('log').getByRole('listitem').filter({ hasText: text });
const field = (page: Page | Frame) => page.getByRole('textbox', { name: /^Message to/ });

const openWaiting = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('tab', { name: 'Waiting' }).click();
  await row(page, name).click();
  await field(page).waitFor();
};

test('a client’s name from right to left does not turn the text beside it', options, async (t) => {
  const { page, write, signIn } = await startStory(t);
  await write('דנה', 'hello');
  await signIn();
  await page.getByRole('tab', { name: 'Waiting' }).click();
  await row(page, 'דנה').waitFor();
  assert.equal(
    await page.evaluate("getComputedStyle(document.querySelector('li a span')).unicodeBidi"),
    'isolate',
  );
});

const send = async (page: Page | Frame, text: string): Promise<void> => {
  await field(page).fill(text);
  await field(page).press('Enter');
};

/** Bytes over the network for the page with all its requests. */
const loaded = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)`,
  );

test(
  'a client’s message reaches the operator live, the answer goes to the messenger, and a note does not',
  options,
  async (t) => {
    const { partner, page, problems, write, signIn } = await startStory(t);
    await signIn();
    await page.getByRole('tab', { name: 'Waiting' }).click();
    await page.getByText('No waiting chats').waitFor();
    const bytes = await loaded(page);
    assert.ok(bytes > 100_000 && bytes <= 250 * 1024, `the first load takes ${bytes} bytes`);
    await partner.client('Ann');
    await row(page, 'Ann').click();
    await said(page, 'Hi').waitFor();

    await page.getByRole('button', { name: 'Take' }).click();
    await page.getByText('Assigned to you').waitFor();
    await send(page, 'Hello, Ann. <b>See</b> https://shop.example/7');
    const [delivery] = await partner.messenger.received(1);
    assert.equal(delivery?.body.payload.message.text, 'Hello, Ann. <b>See</b> https://shop.example/7');
    const answer = said(page, 'Hello, Ann. <b>See</b>');
    await answer.getByRole('img', { name: 'Sent' }).waitFor();
    assert.equal(await answer.getByRole('link').getAttribute('rel'), 'noopener noreferrer');

    await page.getByText('Note', { exact: true }).click();
    await page.getByRole('textbox', { name: /^Note for colleagues/ }).fill('She likes tea.');
    await page.keyboard.press('Enter');
    await said(page, 'Note for colleagues · You').getByText('She likes tea.').waitFor();
    await page.getByRole('textbox', { name: /^Note for colleagues/ }).fill('And no sugar.');
    await page.keyboard.press('Enter');
    await said(page, 'Note for colleagues · You').getByText('And no sugar.').waitFor();

    await write('Ann', 'Thank you!');
    await said(page, 'Thank you!').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await paint(page, colorScheme);
      assert.deepEqual(await axeFindings(page), [], colorScheme);
    }

    await page.keyboard.press('Alt+C');
    await page.getByRole('combobox', { name: 'Category' }).fill('Delivery');
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await said(page, 'closed the session · Delivery').waitFor();
    await page.getByRole('tab', { name: 'Closed' }).click();
    await row(page, 'Ann').waitFor();
    assert.equal(partner.messenger.deliveries.length, 1);
    assert.deepEqual(problems, []);
  },
);

test('a cut connection loses nothing in either direction, and shows nothing twice', options, async (t) => {
  const { partner, proxy, page, problems, write, signIn } = await startStory(t);
  await partner.client('Ann');
  await signIn();
  await openWaiting(page, 'Ann');
  await send(page, 'before');
  await partner.messenger.received(1);
  await said(page, 'before').getByRole('img', { name: 'Sent' }).waitFor();

  proxy.freeze();
  await write('Ann', 'from the client in the gap');
  await send(page, 'from the operator in the gap');
  await said(page, 'from the operator in the gap').getByRole('img', { name: 'Waiting to be sent' }).waitFor();
  proxy.thaw();
  await said(page, 'from the client in the gap').waitFor();
  await partner.messenger.received(2);
  await said(page, 'from the operator in the gap').getByRole('img', { name: 'Sent' }).waitFor();

  await field(page).fill('half a sentence');
  await page.reload();
  await said(page, 'in the gap').first().waitFor();
  assert.equal(await field(page).inputValue(), 'half a sentence');
  assert.equal(await said(page, 'in the gap').count(), 2);
  assert.equal(partner.messenger.deliveries.length, 2);
  assert.deepEqual(problems, []);
});

test(
  'in a partner’s frame without third-party cookies, an operator answers the only client of the link',
  options,
  async (t) => {
    const { context, partner, page, problems, origin, call } = await startStory(t);
    const { profile } = await partner.client('Ann');
    await partner.client('Bob');
    const crm = await startSite(t, (request, response) => {
      const frame = new URL(request.url ?? '', 'http://localhost').searchParams.get('frame');
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>CRM</title><iframe width="600" height="700" src="${frame}"></iframe>`,
      );
    });
    await context.sql`update applications set redirect_uris = ${[`${crm}/callback`]} where id = ${partner.applicationId}`;
    const { body } = await call('POST', '/api/partners/iframe/', {
      headers: partner.token,
      body: { operator: { email: 'anna@crm.test' }, profile: { uuid: profile } },
    });
    const link = String(body.url).replace('https://patchbay.test', origin);
    await page.goto(`${crm}/?frame=${encodeURIComponent(link)}`);
    const frame = page.frames().at(-1);
    assert.ok(frame);
    await said(frame, 'Hi').waitFor();
    await send(frame, 'Hello from the CRM');
    const [delivery] = await partner.messenger.received(1);
    assert.equal(delivery?.body.payload.message.text, 'Hello from the CRM');
    await frame.getByRole('button', { name: 'Back to the list' }).click();
    await row(frame, 'Ann').waitFor();
    assert.equal(await row(frame, 'Bob').count(), 0);
    assert.equal(await frame.getByRole('link', { name: 'Console' }).count(), 0);
    assert.deepEqual(problems, []);
  },
);
