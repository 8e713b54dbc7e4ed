import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createSignInLink } from '../../src/access/operators/sign-in-link.ts';
import { seedMailing, seedMailingMessages } from '../mailing.ts';
import { axeFindings } from './axe.ts';
import { noBrowser } from './chromium.ts';
import { isFit } from './fit.ts';
import { startDemo } from './owner.ts';
import { turn } from './turn.ts';

const options = { skip: noBrowser };

test('the recipients of a mailing are downloaded as a file for spreadsheets', options, async (t) => {
  const { page, problems, context, projectId, chats, root } = await startDemo(t);
  const mailing = await seedMailing(context.sql, projectId, { state: 'completed' });
  await seedMailingMessages(
    context.sql,
    projectId,
    mailing,
    chats.map((chat) => ({ chat })),
  );
  await page.goto(`${root}mailings/${mailing}/`);
  await page.getByRole('tab', { name: 'Recipients' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all as CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'Sale.csv');
  const rows = parse(await readFile(await download.path()), { columns: true, bom: true });
  assert.equal(rows.length, chats.length);
  await isFit(page, 'recipients');
  assert.deepEqual(problems, []);
});

test(
  'a mailing to many starts after a test to a colleague, and again after its text changed',
  options,
  async (t) => {
    const { page, problems, context, projectId, root } = await startDemo(t);
    const { sql } = context;
    await sql`update projects set test_above = 1 where id = ${projectId}`;
    const [me] = await sql<[{ profile_id: string }]>`
    select profile_id from chats where project_id = ${projectId} order by id limit 1`;
    await sql`update profiles set name = ${'Anna'.repeat(25)} where id = ${me.profile_id}`;
    await page.goto(`${root}profiles/${me.profile_id}/`);
    await turn(page.getByRole('switch', { name: 'Colleague: gets tests of mailings' }));
    await page.getByRole('switch', { name: 'Colleague: gets tests of mailings', checked: true }).waitFor();
    await isFit(page, 'colleague');

    await page.goto(`${root}mailings/new/`);
    await page.getByLabel('Name', { exact: false }).first().fill('Autumn');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('Dear {{name}}, tea is here.');
    const review = page.getByRole('button', { name: 'Check and start' });
    const dialog = page.getByRole('dialog');
    const start = dialog.getByRole('button', { name: 'Start now' });
    const tested = async () => {
      await review.click();
      await dialog.getByText('This mailing goes to more than 1 recipients.').waitFor();
      assert.ok(await start.isDisabled());
      await dialog.getByRole('group', { name: 'Test' }).getByRole('checkbox').check();
      await dialog.getByRole('button', { name: 'Send the test' }).click();
      await dialog.getByText('This mailing goes to more than 1 recipients.').waitFor({ state: 'detached' });
      await dialog
        .getByText(/Sent|Delivered|Waiting|Sending/)
        .first()
        .waitFor();
    };
    await tested();
    await isFit(page, 'tested');
    await dialog.getByRole('button', { name: 'Continue editing' }).click();
    await text.fill('Dear {{name}}, coffee is here.');
    await tested();
    await start.click();
    await page.getByRole('heading', { name: 'Autumn' }).waitFor();
    const [{ pushes, of_mailing }] = await sql<[{ pushes: number; of_mailing: number }]>`
    select count(*) filter (where source = 'push')::int as pushes,
      coalesce((select sum(planned)::int from mailing_counts), 0) as of_mailing
    from messages`;
    assert.equal(pushes, 2);
    assert.ok(of_mailing <= 4, 'tests are not counted');
    assert.deepEqual(problems, []);
  },
);

test(
  'a second administrator reads and approves a mailing, and again after it was changed',
  options,
  async (t) => {
    const { page, problems, context, address, projectId, root } = await startDemo(t, 'ru');
    await context.sql`update projects set needs_approval = true where id = ${projectId}`;
    const user = await createUser(context, {
      projectId,
      email: 'ivan@shop.test',
      role: 'admin',
      password: 'long enough',
    });
    const other = await page.context().browser()?.newContext({ locale: 'en' });
    const second = await other?.newPage();
    assert.ok(second);
    await second.goto(address + new URL(await createSignInLink(context, user.id)).pathname);
    await second.getByRole('button').first().click();
    await second.waitForURL(/console/);

    await page.goto(`${root}mailings/new/`);
    await page.getByLabel('Название', { exact: false }).first().fill('Осень');
    await page.getByRole('textbox', { name: 'Текст' }).fill('Чай приехал.');
    await page.getByRole('button', { name: 'Проверить и начать' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Отправить на одобрение' }).click();
    await page.getByRole('heading', { name: 'Осень' }).waitFor();
    await page.getByText('Рассылка начнётся, когда её одобрит другой администратор.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Одобрить' }).count(), 0);
    await page.getByRole('link', { name: 'Рассылки', exact: true }).waitFor();
    await isFit(page, 'waits');

    await second.goto(page.url());
    await second.getByText('Another person asks for your approval.', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'Изменить' }).click();
    await page.getByRole('textbox', { name: 'Текст' }).fill('Кофе приехал.');
    await page.getByRole('button', { name: 'Проверить и начать' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Отправить на одобрение' }).click();
    await page.getByText('Рассылка начнётся, когда её одобрит другой администратор.').waitFor();

    await second.goto(root);
    await second.getByText('Waiting for your approval').waitFor();
    await isFit(second, 'asked');
    const badged = second.getByRole('link', {
      name: 'Mailings 1 mailing waits for your approval',
      exact: true,
    });
    await badged.waitFor();
    await second.setViewportSize({ width: 390, height: 844 });
    await second.getByRole('button', { name: 'Menu' }).click();
    await badged.waitFor();
    assert.deepEqual(await axeFindings(second), []);
    await badged.click();
    await second.getByRole('heading', { name: 'Mailings' }).waitFor();
    await second.setViewportSize({ width: 1440, height: 900 });
    await second.getByRole('link', { name: 'Осень' }).click();
    // The second person's page may still show the first text.
    await second.reload();
    await second.getByText('Кофе приехал.').waitFor();
    await isFit(second, 'approve');
    await second.getByRole('button', { name: 'Approve' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await second.getByText(/approved/).waitFor();
    await badged.waitFor({ state: 'detached' });
    await second.getByRole('link', { name: 'Mailings', exact: true }).waitFor();
    await second.getByText('Completed', { exact: true }).first().waitFor();
    const texts = await context.sql<{ text: string }[]>`select text from mailings where run = 1`;
    assert.deepEqual(
      texts.map(({ text }) => text),
      ['Кофе приехал.'],
    );
    assert.deepEqual(problems, []);
  },
);

test('a mailing is spread until a moment, which the plan and its page show', options, async (t) => {
  const { page, problems, context, projectId, root } = await startDemo(t, 'ru');
  const local = (minutes: number) =>
    page.evaluate((ms) => {
      const at = new Date(Date.now() + ms);
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    }, minutes * 60_000);
  await page.goto(`${root}mailings/new/`);
  await page.getByLabel('Название', { exact: false }).first().fill('Осень');
  await page.getByRole('textbox', { name: 'Текст' }).fill('Чай приехал.');
  await page.getByLabel('Закончить к').fill(await local(60));
  await isFit(page, 'finish-by');
  const dialog = page.getByRole('dialog');
  await context.sql`update channels set state = 'paused' where project_id = ${projectId}`;
  await page.getByRole('button', { name: 'Проверить и начать' }).click();
  await dialog.getByText('К этому времени рассылка не закончится', { exact: false }).waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Начать сейчас' }).isDisabled());
  await isFit(page, 'finish-by-refused');
  await page.keyboard.press('Escape');
  await context.sql`update channels set state = 'active' where project_id = ${projectId}`;
  await page.getByRole('button', { name: 'Проверить и начать' }).click();
  await dialog.getByText(/Распределяется до .*: около \d+ в минуту/).waitFor();
  await isFit(page, 'finish-by-plan');
  await dialog.getByRole('button', { name: 'Начать сейчас' }).click();
  await page.getByText(/Закончить к .* Сейчас около \d+ в минуту/).waitFor();
  await isFit(page, 'finish-by-runs');
  assert.deepEqual(problems, []);
});

test('the plan foretells how many recipients the frequency cap refuses', options, async (t) => {
  const { page, problems, context, projectId, root } = await startDemo(t, 'ru');
  const { sql } = context;
  const earlier = await seedMailing(sql, projectId, { state: 'completed' });
  await sql`
    insert into messages (
      project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, lane, mailing_id,
      mailing_run, sent_at
    )
    select project_id, mailing_message_id(now(), ${earlier}, 1, profile_id), id, channel_id, 'out', 'mailing', 'TEXT',
      '{}', now(), 'SENT', 1, ${earlier}, 1, now()
    from chats where project_id = ${projectId}`;
  await sql`update projects set cap_messages = 1, cap_days = 7 where id = ${projectId}`;
  await page.goto(`${root}mailings/new/`);
  await page.getByLabel('Название', { exact: false }).first().fill('Осень');
  await page.getByRole('textbox', { name: 'Текст' }).fill('Чай приехал.');
  await page.getByRole('button', { name: 'Проверить и начать' }).click();
  await page.getByText(/ограничение частоты отсеет около \d+ получател/).waitFor();
  await isFit(page, 'cap-foretold');
  assert.deepEqual(problems, []);
});

test('two mailings are compared, with intervals and with “no difference”', options, async (t) => {
  const { page, problems, context, projectId, root } = await startDemo(t);
  const { sql } = context;
  const [one, other] = [await seedMailing(sql, projectId), await seedMailing(sql, projectId)];
  await sql`update mailings set state = 'completed', name = 'Autumn' where id = ${other}`;
  await sql`update mailings set state = 'completed' where id = ${one}`;
  await sql`select add_to_mailing_counts(${projectId}, ${one}, array[1000, 1000, 900, 500, 0, 0, 100, 50, 10])`;
  await sql`select add_to_mailing_counts(${projectId}, ${other}, array[1000, 1000, 905, 300, 0, 0, 200, 55, 0])`;
  await page.goto(`${root}mailings/`);
  await page.getByRole('checkbox', { name: 'Compare Sale' }).check();
  await page.getByText('Choose 2 to 6 mailings to compare them.').waitFor();
  await page.getByRole('checkbox', { name: 'Compare Autumn' }).check();
  await isFit(page, 'list');
  await page.getByRole('link', { name: 'Compare (2)' }).click();
  const row = (name: string) => page.getByRole('row', { name });
  await row('Read').getByText('Highest: 1. Sale').waitFor();
  await row('Read').getByText('46.9% to 53.1%').waitFor();
  await row('Delivered').getByText('No difference').waitFor();
  await row('Clicked a button').getByText('Highest: 2. Autumn').waitFor();
  await isFit(page, 'compare');
  assert.deepEqual(problems, []);
});

test('the calendar shows what is planned, its collisions and quiet hours', options, async (t) => {
  const { page, problems, context, projectId, root } = await startDemo(t);
  const { sql } = context;
  await sql`
    update projects set timezone = 'Asia/Tokyo', quiet_from = '21:00', quiet_until = '09:00' where id = ${projectId}`;
  const planned = async (name: string, at: string) => {
    const id = await seedMailing(sql, projectId, { state: 'planned' });
    await sql`update mailings set name = ${name}, due_at = ${at}, run = 0, started_at = null where id = ${id}`;
  };
  await planned('Morning', '2099-01-04T22:30:00Z');
  await planned('Same hour', '2099-01-04T22:50:00Z');
  await planned('Noon', '2099-01-05T03:00:00Z');
  await page.goto(`${root}mailings/`);
  await page.getByRole('link', { name: 'Calendar' }).click();
  await page.getByRole('heading', { name: 'Calendar of mailings' }).waitFor();
  await page.goto(`${root}mailings/calendar/?day=2099-01-10`);
  await page.getByRole('heading', { name: 'January 2099' }).waitFor();
  const monday = page.getByRole('region', { name: 'Monday, January 5' });
  await monday.getByText('07:30').first().waitFor();
  assert.equal(await monday.getByText('Within the same hour on the same channels:').count(), 2);
  assert.equal(await monday.getByText('Starts in quiet hours', { exact: false }).count(), 2);
  await isFit(page, 'calendar');
  await page.getByText('Week', { exact: true }).click();
  await page.getByRole('heading', { name: 'December 29, 2098' }).waitFor();
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByRole('heading', { name: 'January 5, 2099' }).waitFor();
  await page.getByText('Nothing planned').first().waitFor();
  await isFit(page, 'week');
  assert.deepEqual(problems, []);
});

test('a conversion that a partner reports stands beside the reactions', options, async (t) => {
  const { page, problems, context, call, demo, projectId, chats, root } = await startDemo(t);
  const { sql } = context;
  const mailing = await seedMailing(sql, projectId, { state: 'completed' });
  const ids = await seedMailingMessages(
    sql,
    projectId,
    mailing,
    chats.map((chat) => ({ chat })),
  );
  for (const state of ['IN_PROCESS', 'SENT']) {
    await sql`
      update messages set state = ${state}, sent_at = ${context.clock.now()}, due_at = null where id = any (${ids})`;
  }
  await page.goto(`${root}settings/`);
  await page.getByRole('textbox', { name: 'Conversions count for' }).waitFor();
  await isFit(page, 'settings');
  const { status, body } = await call('POST', '/api/partners/conversions/', {
    headers: { 'bot-key': demo.botKey },
    body: { key: 'order-1', name: 'order', chat: { uuid: chats[0] } },
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.mailing.uuid, mailing);
  await page.goto(`${root}mailings/${mailing}/`);
  const converted = page.getByRole('row', { name: 'Converted' });
  await converted.getByRole('cell', { name: '1', exact: true }).waitFor();
  await isFit(page, 'converted');
  assert.deepEqual(problems, []);
});
