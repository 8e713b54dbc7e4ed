import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { startWhatsapp } from '../../src/simulator/whatsapp/provider.ts';
import { startAdministrator } from './administrator.ts';
import { axeFindings, paint } from './axe.ts';
import { noBrowser } from './chromium.ts';

const account = {
  phone_number_id: '11',
  waba_id: '22',
  access_token: 'token',
  app_secret: 'secret',
  verify_token: 'verify',
};

test('a template is written and submitted in the console, and its approval arrives by itself', {
  skip: noBrowser,
}, async (t) => {
  const meta = await startWhatsapp(t, account);
  meta.react(({ method, path, body }) => {
    if (method !== 'POST' || !path.endsWith('/message_templates')) return null;
    meta.templates.push({ ...JSON.parse(body.toString()), status: 'PENDING' });
    return { status: 200, body: { id: '1', status: 'PENDING' } };
  });
  const { patchbay, projectId, page, problems, root } = await startAdministrator(t);
  const { context, address } = patchbay;
  // The stand-in calls the channel's address.
  context.config.publicUrl = address;
  const settings = { ...account, api_root: meta.root };
  const channel = await addChannel(context, { projectId, platform: 'Whatsapp', name: 'Number', settings });
  context.wake.wake('channels');

  await page.goto(`${root}templates/`);
  await page.getByText('Submit templates here.').waitFor();
  await page.getByRole('button', { name: 'Add a template' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name (pid)').fill('order_ready');
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Dear {{name}}, come in.');
  await dialog.getByLabel('Sample for name').waitFor();
  await dialog.getByRole('button', { name: 'Submit for approval' }).click();
  await dialog.getByText('This field is required.').waitFor();
  await dialog.getByLabel('Sample for name').fill('Ann');
  await dialog.getByText('Dear Ann, come in.').waitFor();
  await dialog.getByRole('button', { name: 'Add a button' }).click();
  await dialog.getByLabel('Label').fill('Thanks');
  for (const colorScheme of ['light', 'dark'] as const) {
    await paint(page, colorScheme);
    assert.deepEqual(await axeFindings(page), [], colorScheme);
  }
  await dialog.getByRole('button', { name: 'Submit for approval' }).click();
  await page.getByRole('cell', { name: 'Waiting for approval' }).waitFor();

  const [template] = meta.templates;
  assert.ok(template);
  template.status = 'APPROVED';
  const status = { event: 'APPROVED', message_template_name: 'order_ready' };
  assert.equal((await meta.notify(channel.webhookUrl, status, 'message_template_status_update')).status, 200);
  await page.getByRole('cell', { name: 'Approved' }).waitFor();
  // The first submission was refused on purpose.
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('400')),
    [],
  );
});
