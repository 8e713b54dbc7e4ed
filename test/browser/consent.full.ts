import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createSignInLink } from '../../src/access/operators/sign-in-link.ts';
import { createPartner, startPatchbay } from '../harness.ts';
import { openShop } from '../scenario-harness.ts';
import { axeFindings, paint } from './axe.ts';
import { launchChromium, noBrowser } from './chromium.ts';
import { turn } from './turn.ts';

test('a client leaves a topic by its word, the next mailing does not reach them, and their page says why', {
  skip: noBrowser,
}, async (t) => {
  const patchbay = await startPatchbay(t);
  const { context, address } = patchbay;
  const partner = await createPartner(t, patchbay);
  const { projectId } = partner;
  const { say, hears, heard } = openShop(patchbay, partner);
  const { profile } = await partner.client('Ann');
  await partner.client('Bob');
  const password = 'long enough';
  const user = await createUser(context, { projectId, email: 'a@shop.test', role: 'admin', password });
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await (
    await browser.newContext({ locale: 'en', viewport: { width: 1440, height: 900 } })
  ).newPage();
  await page.goto(address + new URL(await createSignInLink(context, user.id)).pathname);
  await page.getByRole('button').first().click();
  await page.waitForURL(/console/);
  const root = `${address}/console/${projectId}/`;

  await page.goto(`${root}consent/`);
  await page.getByRole('button', { name: 'New topic' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Sales');
  await page.getByRole('dialog').getByLabel('Words to leave').fill('No Sales');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Mailings' }).fill('5');
  await dialog.getByRole('textbox', { name: 'Days' }).fill('7');
  const folder = process.env.PATCHBAY_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/topic.png` });
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('rowheader', { name: 'Sales' }).waitFor();
  await page.getByRole('cell', { name: 'no sales', exact: true }).waitFor();
  await page.getByRole('cell', { name: '5 mailings in 7 days' }).waitFor();
  assert.deepEqual(await axeFindings(page), []);

  const mail = async (name: string) => {
    await page.goto(`${root}mailings/new/`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill(name);
    await page.getByRole('combobox', { name: 'Topic' }).click();
    await page.getByRole('option', { name: 'Sales' }).click();
    await page.getByRole('button', { name: 'Check and start' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('heading', { name }).waitFor();
  };
  await mail('First sale');
  assert.deepEqual(await hears('Ann', 1), ['First sale']);
  assert.deepEqual(await hears('Bob', 1), ['First sale']);
  await say('Ann', 'no sales');
  await hears('Ann', 2);
  await mail('Second sale');
  await hears('Bob', 2);
  assert.match(heard('Ann')[1] ?? '', /no more mailings about “Sales”/);

  await page.goto(`${root}profiles/${profile}/`);
  await page.getByRole('tab', { name: 'Did they get it?' }).click();
  await page.getByText(/^Not sent: the client left the topic “Sales”: .+, by a word\.$/).waitFor();
  assert.equal(heard('Ann').length, 2);
  const sales = page.getByRole('switch', { name: 'About “Sales”' });
  assert.equal(await sales.isChecked(), false);
  assert.deepEqual(await axeFindings(page), []);
  await turn(sales);
  await page.getByText(/^Left .+, by a word$/).waitFor({ state: 'detached' });

  await page.goto(`${root}consent/`);
  await page.getByRole('tab', { name: 'Suppression list' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('+12025550123\nnonsense\n') };
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
  await page.getByText('Added: 1').waitFor();
  await page.getByText(/^Line 2, “nonsense”/).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('rowheader', { name: '+12025550123' }).waitFor();
  await page.getByRole('tab', { name: 'Words' }).click();
  await page.getByRole('group', { name: 'To leave all mailings' }).waitFor();
  await paint(page, 'dark');
  assert.deepEqual(await axeFindings(page), []);
});
