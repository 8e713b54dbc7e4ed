import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAttribute, addTag } from '../../src/clients/profiles/dictionary.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { startPatchbay } from '../harness.ts';
import { axeFindings, paint } from './axe.ts';
import { launchChromium, noBrowser } from './chromium.ts';

const steps = [{ id: 'hi', type: 'message', text: 'Hi' }];

test('what starts a scenario is entered beside it, and shows the scenario that it conflicts with', {
  skip: noBrowser,
}, async (t) => {
  const { context, address } = await startPatchbay(t);
  const demo = await createDemo(context);
  assert.ok(demo);
  const [project] = await context.sql<[{ id: string }]>`select id from projects`;
  const [orders, prices] = await Promise.all(
    ['Orders', 'Prices'].map((name) =>
      importScenario(context, { projectId: project.id, file: Buffer.from(JSON.stringify({ name, steps })) }),
    ),
  );
  await addAttribute(context, { projectId: project.id, name: 'birthday' });
  await addTag(context, { projectId: project.id, name: 'vip' });
  const browser = await launchChromium();
  t.after(() => browser.close());
  const visitor = await browser.newContext({ viewport: { width: 1440, height: 1000 }, locale: 'en' });
  const page = await visitor.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(address + new URL(demo.signInUrl).pathname);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Welcome to Patchbay' }).waitFor();

  const open = async (id: number | undefined) => {
    await page.goto(`${address}/console/${project.id}/scenarios/${id}/`);
    await page.getByRole('tab', { name: 'Starts' }).click();
  };
  await open(orders?.id);
  await page.getByRole('textbox', { name: 'Keyword' }).fill('order*');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'On: The keyword “order*”' }).waitFor();

  await open(prices?.id);
  await page.getByRole('textbox', { name: 'Keyword' }).fill('order*');
  await page.getByText('This already starts another scenario:').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled());
  await page.getByRole('textbox', { name: 'Keyword' }).fill('order prices');
  await page.getByText('The same can also start:').waitFor();
  await page.getByRole('link', { name: 'Orders' }).waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const added = page.getByRole('switch', { name: 'On: The keyword “order prices”' });
  await added.waitFor();
  await page.getByText('The same can also start:').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await paint(page, 'dark');
  assert.deepEqual(await axeFindings(page), []);

  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'A client writes for the first time' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Remove: A client’s first message' }).click();
  await page.getByRole('button', { name: 'Remove: A client’s first message' }).waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'A client gets a tag' }).click();
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'vip' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('switch', { name: 'On: The tag “vip” is added' }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'A day of the year' }).click();
  await page.getByRole('combobox', { name: 'Attribute with the date' }).click();
  await page.getByRole('option', { name: 'birthday' }).click();
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('switch', { name: 'On: The day of “birthday”, from 10:00 on' }).waitFor();
  await added.click({ force: true });
  await page.getByText('The same can also start:').waitFor({ state: 'detached' });
});
