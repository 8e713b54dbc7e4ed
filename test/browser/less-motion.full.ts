import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAdministrator } from './administrator.ts';
import { noBrowser } from './chromium.ts';

/** Keeps the name of each property that fades or slides in `moved`. */
const watchMotion = `
  globalThis.moved = [];
  addEventListener('transitionrun', ({ propertyName, target }) => {
    globalThis.moved.push(propertyName + ' of ' + target.className);
  }, true);
`;

test('dialogs and the notes below them appear at once for a person who asked for less motion', {
  skip: noBrowser,
}, async (t) => {
  const { page, root, problems } = await startAdministrator(t);
  await page.addInitScript(watchMotion);
  await page.goto(`${root}consent/`);
  await page.getByRole('button', { name: 'New topic' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Sales');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('rowheader', { name: 'Sales' }).waitFor();
  assert.deepEqual(await page.evaluate('globalThis.moved'), []);
  assert.deepEqual(problems, []);
});
