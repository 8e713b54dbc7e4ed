import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../src/platform/context.ts';
import { seedMailing, textVariant } from '../mailing.ts';
import { startMessenger } from '../stand-ins/messenger.ts';
import { noBrowser } from './chromium.ts';
import { addClients } from './demo-clients.ts';
import { isFit } from './fit.ts';
import { startDemo } from './owner.ts';

const options = { skip: noBrowser };

/** Everybody who got this variant reads it, and the time of the sample is over. */
async function readAndPass({ sql, wake }: Context, variant: number): Promise<void> {
  await sql`
    with seen as (
      update messages set state = 'READ', read_at = sent_at where variant = ${variant} and state in ('SENT', 'DELIVERED')
      returning project_id, mailing_id, variant
    )
    select add_to_mailing_counts(project_id, mailing_id, variant, array[0, 0, 0, count(*), 0, 0, 0, 0, 0]::integer[])
    from seen group by project_id, mailing_id, variant`;
  await sql`
    update mailings set progress = progress || '{"decide_at": 1}', due_at = started_at
    where ab_test is not null and state = 'in_process'`;
  wake.wake('planning');
}

test('two variants go to a sample, the better one wins, and the rest gets it', options, async (t) => {
  const { context, longSql, page, problems, root } = await startDemo(t, 'en');
  const { sql } = context;
  await addClients(longSql, 80);
  const messenger = await startMessenger(t);
  await sql`
    update channels set settings = settings || ${sql.json({ webhook_url: messenger.url })}
    where platform = 'API_Messenger'`;
  await page.goto(`${root}mailings/new/`);
  await page.getByLabel('Name', { exact: false }).first().fill('Autumn');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Tea is here.');
  await page.getByRole('checkbox', { name: 'Compare variants of the message' }).check();
  await page.getByRole('button', { name: 'Check and start' }).click();
  await page.getByText('Write the message of each variant.').first().waitFor();
  await page.getByLabel('Text of variant B').fill('Coffee is here.');
  await page.getByLabel('Sample, percent of the recipients').fill('50');
  await isFit(page, 'form');
  await page.getByRole('button', { name: 'Check and start' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click();
  await page.getByRole('heading', { name: 'Autumn' }).waitFor();
  const region = page.getByRole('region', { name: 'A/B test' });
  await region.getByText('The sample is sent, and the rest waits.', { exact: false }).waitFor();
  await page.getByText('Waits for its test', { exact: true }).waitFor();
  await isFit(page, 'waiting');

  await readAndPass(context, 2);
  await region.getByText('Variant B won by “Read”.').waitFor();
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await region.getByText('The mailing has ended.').waitFor();
  await isFit(page, 'won');

  const texts = await sql<{ variant: number; text: string; part: number }[]>`
    select variant, rendered ->> 'text' as text, count(*)::int as part from messages
    where mailing_id is not null group by 1, 2 order by 1`;
  assert.deepEqual(
    texts.map(({ variant, text }) => [variant, text]),
    [
      [1, 'Tea is here.'],
      [2, 'Coffee is here.'],
    ],
  );
  const [{ planned, messages, clients }] = await sql<
    [{ planned: number; messages: number; clients: number }]
  >`
    select (select sum(planned)::int from mailing_counts) as planned,
      (select count(*)::int from messages where mailing_id is not null) as messages,
      (select count(distinct chat_id)::int from messages where mailing_id is not null) as clients`;
  assert.deepEqual([planned, clients], [messages, messages]);
  for (const { variant, part } of texts) {
    const row = region.getByRole('row', { name: variant === 1 ? 'Variant A' : 'Variant B' });
    assert.equal(await row.getByRole('cell').nth(1).textContent(), String(part));
  }
  await page.getByRole('tab', { name: 'Recipients' }).click();
  await page.getByText('Variant B', { exact: false }).nth(3).waitFor();
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByText('Coffee is here.').waitFor();
  await isFit(page, 'content');
  assert.deepEqual(problems, []);
});

test('where no difference is shown, a person chooses what the rest gets', options, async (t) => {
  const { context, page, problems, projectId, root } = await startDemo(t, 'ru');
  const { sql } = context;
  const id = await seedMailing(sql, projectId, { text: 'Чай приехал.' });
  const other = textVariant(50, 'Кофе приехал.');
  const sample = { percent: 20, measure: 'jumped', wait_minutes: 60, otherwise: 'ask' };
  const counts = [
    { sent: 210, reacted: 30 },
    { sent: 190, reacted: 33 },
  ];
  await sql`
    update mailings set stage = 'sending', filter_chats = '{"all": []}',
      ab_test = ${sql.json({ variants: [other], sample })},
      progress = '{"part": "sample", "decide_at": 1, "at_once": 100}'
    where id = ${id}`;
  await sql`
    insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders)
    values (${projectId}, ${id}, now(), ${sql.json(counts)}, '{1,2}')`;
  await page.goto(`${root}mailings/${id}/`);
  const region = page.getByRole('region', { name: 'A/B-тест' });
  await region
    .getByText('Разницы по показателю «Перешли по ссылке» между вариантами A, B не видно.')
    .waitFor();
  await page.getByText('Ждёт вашего выбора', { exact: true }).waitFor();
  await isFit(page, 'asks');
  await region.getByRole('button', { name: 'Отправить остальным вариант B' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Изменить это потом нельзя.', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Отправить остальным вариант B' }).click();
  await region.getByText('для остальных выбран вариант B', { exact: false }).waitFor();
  await region.getByText('Рассылка закончилась.').waitFor();
  const said = await sql<{ text: string }[]>`
    select distinct rendered ->> 'text' as text from messages where mailing_id = ${id}`;
  assert.deepEqual(
    said.map(({ text }) => text),
    ['Кофе приехал.'],
  );
  assert.deepEqual(problems, []);
});
