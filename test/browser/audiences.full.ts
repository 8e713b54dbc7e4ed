import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertAudience } from '../../src/clients/audiences/store.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { lookAtAll } from '../audience-looks.ts';
import { seedChannel, seedChat, seedProfile } from '../seed.ts';
import { startAdministrator } from './administrator.ts';
import { axeFindings, paint } from './axe.ts';
import { noBrowser } from './chromium.ts';

test('an audience is saved, counted, watched, chosen for a mailing, and kept while the mailing waits', {
  skip: noBrowser,
}, async (t) => {
  const { patchbay, projectId, page, problems, root } = await startAdministrator(t);
  const { context } = patchbay;
  const { sql } = context;
  const channelId = await seedChannel(sql, projectId);
  for (const [name, tags] of [
    ['ann', ['vip']],
    ['bob', ['vip']],
    ['cid', []],
  ] as const) {
    const profileId = await seedProfile(sql, projectId, { external_id: name, tags: [...tags] });
    await seedChat(sql, projectId, { channelId, profileId });
  }
  await sql`insert into tags (project_id, name) values (${projectId}, 'vip')`;

  await page.goto(`${root}audiences/`);
  await page.getByText('No audiences yet').waitFor();
  await page.getByRole('button', { name: 'New audience' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').first().fill('Regulars');
  await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = dialog.getByLabel('The filter as JSON');
  await json.fill('{"all": [{"type": "nothing"}]}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/The type of a condition is one of/).waitFor();
  await json.fill('{"all": [{"type": "profile_tag", "tag": "vip"}]}');
  await dialog.getByRole('button', { name: 'Use the builder' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: '2', exact: true }).waitFor();

  await lookAtAll(context);
  await sql`update audience_days set day = day - 1`;
  await sql`update profiles set tags = '{vip}' where project_id = ${projectId} and external_id = 'cid'`;
  await lookAtAll(context);
  await page.reload();
  await page.getByRole('cell', { name: '+1 / −0' }).waitFor();
  await page.getByRole('link', { name: 'Regulars' }).click();
  await page.getByRole('heading', { name: 'Size by day' }).waitFor();
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await paint(page, colorScheme);
      assert.deepEqual(await axeFindings(page), [], colorScheme);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto(`${root}mailings/new/`);
  await page.getByLabel('Name').first().fill('News');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello');
  await page.getByRole('radio', { name: 'Saved audience' }).check();
  await page.getByRole('combobox', { name: 'Audience', exact: true }).click();
  await page.getByRole('option', { name: 'Regulars' }).click();
  await page.getByText('3 recipients').waitFor();
  await page.getByRole('radio', { name: 'On a schedule' }).check();
  await page.getByRole('button', { name: 'Check and start' }).click();
  await page.getByText(/Estimated sending time/).waitFor();
  await page.getByRole('dialog').getByRole('button').last().click();
  await page.getByText('Saved audience “Regulars”').waitFor();

  await page.goto(`${root}audiences/`);
  await page.getByRole('link', { name: 'Regulars' }).click();
  await page.getByRole('listitem').filter({ hasText: 'News' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('A planned or running mailing uses this audience.').waitFor();
  // The filter and the deletion were refused on purpose.
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('400')),
    [],
  );
});

test('a branch of a scenario asks for a saved audience, which its page then names', {
  skip: noBrowser,
}, async (t) => {
  const { patchbay, projectId, page, problems, root } = await startAdministrator(t);
  const { context } = patchbay;
  await insertAudience(context.sql, projectId, {
    id: context.newId(),
    name: 'Regulars',
    filter: { all: [{ type: 'profile_tag', tag: 'vip' }] },
    authorId: context.newId(),
    authorName: 'Ann',
    now: context.clock.now(),
  });
  const steps = [
    { id: 'who', type: 'branch', cases: [{ when: { all: [] }, next: 'thanks' }], next: 'end' },
    { id: 'thanks', type: 'message', text: 'Thank you' },
    { id: 'end', type: 'end' },
  ];
  const file = Buffer.from(JSON.stringify({ name: 'Greeting', steps }));
  await importScenario(context, { projectId, file });
  await page.goto(`${root}scenarios/`);
  await page.getByRole('link', { name: 'Greeting' }).click();
  await page.locator('.react-flow__node').first().click();
  await page.getByRole('radiogroup', { name: /Kind of condition/ }).waitFor();
  await page.getByText('Saved audience', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Audience', exact: true }).waitFor();
  await page.getByText('audience: Regulars').first().waitFor();
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await paint(page, colorScheme);
      assert.deepEqual(await axeFindings(page), [], colorScheme);
    }
    const folder = process.env.PATCHBAY_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/branch-audience-${viewport.width}.png` });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published', { exact: false }).first().waitFor();
  await page.goto(`${root}audiences/`);
  await page.getByRole('link', { name: 'Regulars' }).click();
  await page.getByText('Scenario: Greeting').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('A scenario uses this audience by its name: "Greeting".').waitFor();
  assert.deepEqual(
    problems.filter((text) => !text.includes('400')),
    [],
  );
});
