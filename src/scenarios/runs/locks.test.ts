import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { createPartner, type Partner, type Patchbay, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { startMessenger } from '../../../test/stand-ins/messenger.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import { resumeRun } from '../runs-store.ts';
import { addStarter } from '../starters.ts';

/** An integration gets the events of the partner's clients. */
async function subscribe({ call }: Patchbay, { token }: Partner): Promise<void> {
  const { url } = await startMessenger({ after });
  const { status } = await call('PUT', '/api/partners/integrations/credentials/', {
    headers: token,
    body: { webhook_url: url, webhook_events: [], webhook_platforms: [] },
  });
  assert.equal(status, 200);
}

test(
  'a client’s message and a scenario that opens a session never wait for each other',
  twoSessions,
  async () => {
    const patchbay = await startPatchbay({ after });
    const partner = await createPartner({ after }, patchbay);
    const { add, hears, say, push, isOpening } = openShop(patchbay, partner);
    const { sql } = patchbay.context;
    await subscribe(patchbay, partner);
    await add('Help', [
      { id: 'q', type: 'ask', text: 'With what?', keep: { variable: 'topic' } },
      { id: 'o', type: 'operator', title: '{{topic}}' },
    ]);
    const { chat } = await partner.client('ann');
    await push(chat, 'Help');
    await hears('ann', 1);
    while (await isOpening(chat)) await new Promise(setImmediate);
    const isAtWork = () => sql`select from scenario_runs where chat_id = ${chat} and lease is not null`;
    while ((await isAtWork()).length > 0) await new Promise(setImmediate);

    const said: Promise<void>[] = [];
    await sql.begin(async (holding) => {
      // The scenario's turn holds its run, and waits for its last message.
      await holding`
        select from messages join scenario_runs on messages.id = last_message_id
        where scenario_runs.chat_id = ${chat} for update of messages`;
      await say('ann', 'an order');
      await somebodyWaits(sql);
      said.push(say('ann', 'the last one'));
      await somebodyWaits(sql, 2);
    });
    await Promise.all(said);
    const opened = async () =>
      await sql`select title from sessions where chat_id = ${chat} and closed_at is null`;
    while ((await opened()).length === 0) await new Promise(setImmediate);
  },
);

test('two messages of a client never wait for each other where a scenario begins', twoSessions, async () => {
  const database = await testDatabase({ after });
  const secretKey = 'one key for both processes of this test';
  const patchbay = await startPatchbay({ after }, { database, config: { secretKey } });
  const elsewhere = await startPatchbay({ after }, { database, config: { secretKey, roles: ['api'] } });
  const partner = await createPartner({ after }, patchbay);
  const { add, hears, say, push, isOpening, settled } = openShop(patchbay, partner);
  const { context } = patchbay;
  const { sql } = context;
  await subscribe(patchbay, partner);
  await add('News', [{ id: 'a', type: 'message', text: 'News' }]);
  const { id } = await add('Prices', [{ id: 'a', type: 'message', text: 'Prices' }]);
  await addStarter(context, partner.projectId, id, { kind: 'keyword', value: 'price' });
  const { chat } = await partner.client('bea');
  await push(chat, 'News');
  await hears('bea', 1);
  while (await isOpening(chat)) await new Promise(setImmediate);
  await settled();

  const waiting: Promise<unknown>[] = [];
  await sql.begin(async (holding) => {
    await holding`
      insert into event_queues (project_id, endpoint_id, chat_id, waiting, due_at)
      select project_id, id, ${chat}, 0, ${context.clock.now()} from endpoints`;
    waiting.push(say('bea', 'price'));
    await somebodyWaits(sql);
    // Another scenario begins between the two, or waits for the first.
    const begins = sql`update scenario_runs set status = 'running' where chat_id = ${chat}`.then(() => {});
    waiting.push(begins);
    await Promise.race([begins, somebodyWaits(sql, 2)]);
    waiting.push(openShop(elsewhere, partner).say('bea', 'more'));
    await somebodyWaits(sql, 2);
  });
  await Promise.all(waiting);
});

test('the end of a session waits for a turn that has just paused for it', twoSessions, async () => {
  const patchbay = await startPatchbay({ after });
  const partner = await createPartner({ after }, patchbay);
  const { add, hears, push, isOpening, settled } = openShop(patchbay, partner);
  const { sql, clock, newId } = patchbay.context;
  await add('Survey', [{ id: 'q', type: 'ask', text: 'Colour?' }]);
  const { chat } = await partner.client('cyd');
  await push(chat, 'Survey');
  await hears('cyd', 1);
  while (await isOpening(chat)) await new Promise(setImmediate);
  await settled();
  const now = clock.now();
  const later = new Date(now.getTime() + 3_600_000);
  await sql`update scenario_runs set lease = ${newId()}, due_at = ${later} where chat_id = ${chat}`;
  let resumed: Promise<void> | undefined;
  await sql.begin(async (recording) => {
    await recording`update scenario_runs set lease = null where chat_id = ${chat}`;
    resumed = resumeRun(sql, { projectId: partner.projectId, chatId: chat }, now);
    await Promise.race([resumed, somebodyWaits(sql)]);
  });
  await resumed;
  const late = await sql`select from scenario_runs where chat_id = ${chat} and due_at > ${now}`;
  assert.equal(late.length, 0);
});
