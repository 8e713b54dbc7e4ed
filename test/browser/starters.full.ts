import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertAudience } from '../../src/clients/audiences/store.ts';
import { addAttribute, addTag } from '../../src/clients/profiles/dictionary.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { startAdministrator } from './administrator.ts';
import { axeFindings, paint } from './axe.ts';
import { noBrowser } from './chromium.ts';
import { startDemo } from './owner.ts';
import { turn } from './turn.ts';

const steps = [{ id: 'hi', type: 'message', text: 'Hi' }];

test('what starts a scenario is entered beside it, and shows the scenario that it conflicts with', {
  skip: noBrowser,
}, async (t) => {
  const { context, page, projectId, root } = await startDemo(t);
  const [orders, prices] = await Promise.all(
    ['Orders', 'Prices'].map((name) =>
      importScenario(context, { projectId, file: Buffer.from(JSON.stringify({ name, steps })) }),
    ),
  );
  await addAttribute(context, { projectId, name: 'birthday' });
  await addTag(context, { projectId, name: 'vip' });
  const id = context.newId();
  const regulars = { id, name: 'Regulars', filter: { all: [] }, authorId: id, authorName: null };
  await insertAudience(context.sql, projectId, { ...regulars, now: context.clock.now() });
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.getByRole('heading', { name: 'Welcome to Patchbay' }).waitFor();

  const open = async (id: number | undefined) => {
    await page.goto(`${root}scenarios/${id}/`);
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
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'A client enters a saved audience' }).click();
  await page.getByRole('combobox', { name: 'Audience' }).click();
  await page.getByRole('option', { name: 'Regulars' }).click();
  assert.deepEqual(await axeFindings(page), []);
  const folder = process.env.PATCHBAY_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/audience-start.png`, fullPage: true });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('switch', { name: 'On: A client enters “Regulars”' }).waitFor();
  await turn(added);
  await page.getByText('The same can also start:').waitFor({ state: 'detached' });
});

test('a keyword that is a word of consent is flagged beside its scenario and under Consent', {
  skip: noBrowser,
}, async (t) => {
  const { patchbay, projectId, page, problems, root } = await startAdministrator(t);
  const file = Buffer.from(JSON.stringify({ name: 'Orders', steps }));
  const { id } = await importScenario(patchbay.context, { projectId, file });
  await page.goto(`${root}scenarios/${id}/`);
  await page.getByRole('tab', { name: 'Starts' }).click();
  await page.getByRole('textbox', { name: 'Keyword' }).fill('Stop');
  await page.getByText('The scenario does not start then.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('switch', { name: 'On: The keyword “stop”' }).waitFor();
  await page.getByText('The scenario does not start then.', { exact: false }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.goto(`${root}consent/`);
  await page.getByRole('tab', { name: 'Words' }).click();
  await page.getByText('“stop”: keyword of “Orders”').waitFor();
  for (const scheme of ['dark', 'light'] as const) {
    await paint(page, scheme);
    assert.deepEqual(await axeFindings(page), [], scheme);
  }
  const folder = process.env.PATCHBAY_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/taken-words.png` });
  assert.deepEqual(problems, []);
});
