import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { atRest } from '../../test/scenario-harness.ts';
import { seedChannel, seedChat, seedProject } from '../../test/seed.ts';
import { receiveEvents } from '../messaging/chats/receive.ts';
import { importScenario } from './import.ts';
import { setStarters } from './starters.ts';
import { insertScenario, insertVersion } from './versions-store.ts';

const database = await testDatabase({ after });
const clock = manualClock();
const context = testContext(database, clock);
const { sql } = context;
const projectId = await seedProject(sql);
for (const name of ['Hello', 'Prices', 'Order']) {
  const steps = [{ id: 'q', type: 'ask', text: '?' }];
  await importScenario(context, { projectId, file: Buffer.from(JSON.stringify({ name, steps })) });
}
let said = 0;

async function client(platform: 'Whatsapp' | 'Widget') {
  const channelId = await seedChannel(sql, projectId, platform);
  const id = await seedChat(sql, projectId, { channelId, platform, external_id: 'ann' });
  const channel = { projectId, id: channelId, platform, name: platform };
  return {
    id,
    channelId,
    say: async (text: string, ref?: string): Promise<void> => {
      said += 1;
      const empty = { url: null, payload: null };
      const message = { externalId: `m${said}`, type: 'text' as const, text, ...empty, ...(ref && { ref }) };
      await receiveEvents(context, channel, [{ kind: 'message', chat: { externalId: 'ann' }, message }]);
    },
    run: async () => {
      const [run] = await sql<{ name: string; params: object; unheard: number; mail: number }[]>`
        select scenarios.name, params, unheard, (
          select count(*)::int from scenario_mail mail where mail.chat_id = runs.chat_id and run_id = runs.id
        ) as mail
        from scenario_runs runs join scenarios on scenarios.id = scenario_id where chat_id = ${id}`;
      return run;
    },
  };
}

const started = (name: string, params = {}) => ({ name, params, unheard: 0, mail: 0 });

/** The runs have begun, and have handled all messages. */
async function handled(): Promise<void> {
  await sql`delete from scenario_mail`;
  await sql`update scenario_runs set unheard = 0, state = ${sql.json(atRest)}`;
}

test('without scenarios, a message leaves no run behind', async () => {
  const { say, run } = await client('Widget');
  await say('Hello');
  assert.equal(await run(), undefined);
});

test('the welcome answers a first message, a run gets the next ones, and a keyword takes precedence', async () => {
  await setStarters(context, projectId, [
    { keyword: '', scenario: 'Hello' },
    { keyword: 'price', scenario: 'Prices' },
  ]);
  const { say, run } = await client('Widget');
  await say('Good day');
  assert.deepEqual(await run(), started('Hello'));
  await say('two');
  await say('three');
  assert.deepEqual(await run(), { ...started('Hello'), unheard: 2, mail: 2 });
  await handled();
  await say('PRICE ');
  assert.deepEqual(await run(), started('Prices'));
  await sql`update scenario_runs set status = 'ended'`;
  await say('no more');
  assert.deepEqual(await run(), started('Prices'));
});

test('a keyword waits for the run to handle an earlier message', async () => {
  const { say, run } = await client('Widget');
  await say('Good day');
  await say('two');
  await say('price');
  await say('three');
  assert.deepEqual(await run(), { ...started('Hello'), unheard: 3, mail: 3 });
});

test('the parameter of a link starts its scenario before the words beside it do, and is known to it', async () => {
  await setStarters(context, projectId, [
    { keyword: '', scenario: 'Hello' },
    { keyword: 'price', scenario: 'Prices' },
    { keyword: '/start Spring-Sale', scenario: 'Order' },
  ]);
  const { say, run } = await client('Widget');
  await say('price', 'spring-sale');
  assert.deepEqual(await run(), started('Order', { ref: 'spring-sale' }));
  await handled();
  await say('price', 'other');
  assert.deepEqual(await run(), started('Prices', { ref: 'other' }));
  await handled();
  await say('/start spring-sale', 'spring-sale');
  assert.deepEqual(await run(), started('Order', { ref: 'spring-sale' }));
  const [row] = await sql`select content ->> 'ref' as ref from messages where external_id = ${`m${said}`}`;
  assert.equal(row?.ref, 'spring-sale');

  const other = await client('Widget');
  await other.say('Good day', 'unknown');
  assert.deepEqual(await other.run(), started('Hello', { ref: 'unknown' }));
});

test('a keyword with stars starts its scenario: after whole words, and the longest first', async () => {
  await setStarters(context, projectId, [
    { keyword: '', scenario: '' },
    { keyword: 'Order*', scenario: 'Order' },
    { keyword: 'order pri*', scenario: 'Prices' },
    { keyword: 'order 100%', scenario: 'Hello' },
    { keyword: '*_*', scenario: 'Hello' },
    { keyword: '/start promo*', scenario: 'Prices' },
  ]);
  const heard = async (text: string, ref?: string) => {
    const { say, run } = await client('Widget');
    await say(text, ref);
    return (await run())?.name;
  };
  assert.equal(await heard(' ORDER a pizza'), 'Order');
  assert.equal(await heard('order PRICE'), 'Prices');
  assert.equal(await heard('Order 100%'), 'Hello');
  assert.equal(await heard('order 1000'), 'Order');
  assert.equal(await heard('snake_case'), 'Hello');
  assert.equal(await heard('an order'), undefined);
  assert.equal(await heard('order', 'PROMO7'), 'Prices');
  assert.equal(await heard(`order ${'x'.repeat(994)}`), 'Order');
  assert.equal(await heard(`order ${'x'.repeat(995)}`), undefined);
  assert.equal(await heard('hi', `promo${'x'.repeat(1_000)}`), undefined);
});

test('a keyword with stars does not restart the scenario that asks the client, and a whole word does', async () => {
  await setStarters(context, projectId, [{ keyword: 'order', scenario: 'Order' }]);
  const { say, run } = await client('Widget');
  await say('order please');
  await handled();
  await say('order 66');
  assert.deepEqual(await run(), { ...started('Order'), unheard: 1, mail: 1 });
  await handled();
  await say('order');
  assert.deepEqual(await run(), started('Order'));
  await handled();
  await say('order price');
  assert.equal((await run())?.name, 'Prices');
});

test('a disabled keyword starts nothing', async () => {
  await sql`update scenario_starters set is_enabled = false where keyword <> '*_*'`;
  const { say, run } = await client('Widget');
  await say('order');
  assert.equal(await run(), undefined);
  await setStarters(context, projectId, [
    { keyword: '', scenario: 'Hello' },
    { keyword: 'order', scenario: 'Order' },
  ]);
  await say('order');
  assert.equal((await run())?.name, 'Order');
});

test('an existing run gets a first message', async () => {
  const { id, say, run } = await client('Widget');
  await sql`
    insert into scenario_runs (project_id, chat_id, id, scenario_id, version, params, lane, created_at)
    select project_id, ${id}, ${context.newId()}, id, 1, '{}', 0, ${clock.now()} from scenarios
    where project_id = ${projectId} and name = 'Order'`;
  await say('my first words');
  assert.deepEqual(await run(), { ...started('Order'), unheard: 1, mail: 1 });
});

/** A template that was sent to a client, and names a scenario. */
async function invite({ id, channelId }: { id: string; channelId: string }, name: string): Promise<void> {
  clock.advance(1000);
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, sent_at)
    values (${projectId}, ${context.newId()}, ${id}, ${channelId}, 'out', 'push', 'WHATSAPP_TEMPLATE',
      ${sql.json({ node: { name }, get_params: { number: 7 } })}, ${clock.now()}, 'SENT', ${clock.now()})`;
  clock.advance(1000);
}

test('a template that names a scenario starts it with its first answer, and once', async () => {
  const { say, run, ...chat } = await client('Whatsapp');
  await say('before');
  assert.deepEqual(await run(), started('Hello'));
  await handled();
  await invite(chat, 'Order');
  await say('yes');
  assert.deepEqual(await run(), started('Order', { number: 7 }));
  await say('and then');
  assert.deepEqual(await run(), { ...started('Order', { number: 7 }), unheard: 1, mail: 1 });
});

test('the scenario that a template names starts under the name that it has by then', async () => {
  const { say, run, ...chat } = await client('Whatsapp');
  await say('before');
  await handled();
  const version = { definition: { name: 'Book', steps: [] }, source: '', savedBy: '', savedAt: clock.now() };
  const made = await insertScenario(sql, projectId, { ...version, name: 'Book' });
  assert.ok(made);
  await invite(chat, 'Book');
  await insertVersion(
    sql,
    projectId,
    { id: made.id, from: 1, revision: null },
    { ...version, name: 'Reserve' },
  );
  await say('yes');
  assert.deepEqual(await run(), started('Reserve', { number: 7 }));
});

test('no scenario gets messages while an operator has the chat', async () => {
  const { id, say, run } = await client('Widget');
  await sql`
    insert into sessions (project_id, id, chat_id, opened_at)
    values (${projectId}, ${context.newId()}, ${id}, ${clock.now()})`;
  await say('price');
  assert.equal(await run(), undefined);
});
