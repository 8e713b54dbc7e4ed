import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { type ManualClock, manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { severable } from '../../../test/cut-off.ts';
import { testDatabase } from '../../../test/database.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { answerWith, startMessenger } from '../../../test/stand-ins/messenger.ts';
import { addAttribute } from '../../clients/profiles/dictionary.ts';
import { receiveEvents } from '../../messaging/chats/receive.ts';
import { queueMessages } from '../../messaging/messages/queue-store.ts';
import type { Context } from '../../platform/context.ts';
import type { Pool, Sql } from '../../platform/database/database.ts';
import { importScenario } from '../import.ts';
import { startScenarioRuns } from './engine.ts';

const database = await testDatabase({ after });
const leaseMs = 5_000;

/** The pool of a process that is killed at its n-th statement. The ends of transactions count, too. */
function dyingPool(sql: Pool, lives: number): { sql: Pool; died: Promise<void>; isDead(): boolean } {
  const death = Promise.withResolvers<void>();
  let left = lives;
  const live = () => {
    left -= 1;
    if (left >= 0) return;
    death.resolve();
    throw new Error('killed');
  };
  const mortal = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      apply: (called, self, parameters) => {
        live();
        return Reflect.apply(called as never, self, parameters);
      },
      get: (owner, name) => {
        if (name !== 'begin') return Reflect.get(owner, name);
        return async (work: (transaction: object) => unknown) => {
          live();
          const result = await sql.begin((transaction) => work(mortal(transaction)) as never);
          live();
          return result;
        };
      },
    });
  return { sql: mortal(sql), died: death.promise, isDead: () => left < 0 };
}

const steps = [
  { id: 'a', type: 'message', text: 'one' },
  { id: 'b', type: 'message', text: 'two' },
  { id: 's', type: 'set', attributes: { seen: 'yes' } },
  { id: 'q', type: 'ask', text: 'three?', keep: { variable: 'answer' } },
  { id: 'w', type: 'wait', for: { seconds: 1 } },
  { id: 'z', type: 'operator', text: 'four {{answer}}', title: 'Help' },
];

async function scene(context: Context) {
  const { sql } = context;
  const projectId = await seedProject(sql);
  await addAttribute(context, { projectId, name: 'seen' });
  await importScenario(context, { projectId, file: Buffer.from(JSON.stringify({ name: 'Four', steps })) });
  const channelId = await seedChannel(sql, projectId);
  const chatId = await seedChat(sql, projectId, { channelId, external_id: 'ann' });
  const channel = { projectId, id: channelId, platform: 'API_Messenger' as const, name: 'Messenger' };
  return {
    projectId,
    chatId,
    say: (text: string) =>
      receiveEvents(context, channel, [
        {
          kind: 'message',
          chat: { externalId: 'ann' },
          message: { externalId: text, type: 'text', text, url: null, payload: null },
        },
      ]),
    push: () => queueMessages(sql, [startOf(context.newId(), projectId, chatId)]),
    texts: async () => {
      const rows = await sql<{ text: string }[]>`
        select coalesce(rendered, content) ->> 'text' as text from messages
        where project_id = ${projectId} and chat_id = ${chatId} and direction = 'out' order by id`;
      return rows.map(({ text }) => text);
    },
    stands: async (step: string) => {
      await sendFirstMessages(sql, projectId);
      const [run] = await sql<{ at: { step?: string } }[]>`
        select state -> 'at' as at from scenario_runs
        where project_id = ${projectId} and lease is null and unheard = 0 and state is not null`;
      return run?.at.step === step;
    },
    traces: async () => {
      const [row] = await sql`
        select
          (select count(*)::int from profile_audit where project_id = ${projectId}) as changes,
          (select count(*)::int from sessions where project_id = ${projectId}) as sessions,
          (select count(*)::int from scenario_mail where project_id = ${projectId}) as mail`;
      return row;
    },
  };
}

/** The part of the sending engine that runs wait for. */
async function sendFirstMessages(sql: Sql, projectId: string): Promise<void> {
  const isStart = sql`project_id = ${projectId} and content_type = 'NODE' and channel_id is not null`;
  await sql`update messages set state = 'IN_PROCESS' where ${isStart} and state = 'PENDING'`;
  await sql`update messages set state = 'SENT' where ${isStart} and state = 'IN_PROCESS'`;
}

const startOf = (id: string, projectId: string, chatId: string) => ({
  id,
  project_id: projectId,
  chat_id: chatId,
  channel_id: null,
  source: 'push' as const,
  content_type: 'NODE',
  content: { node: { name: 'Four' } },
  is_force: false,
  created_at: noon,
  lane: 0 as const,
  due_at: noon,
  state: 'PENDING' as const,
});

type Scene = Awaited<ReturnType<typeof scene>>;

/** Continues until the run reaches the step: first in a process that dies on the way, and then in a healthy one. */
async function reach(
  context: Context,
  clock: ManualClock,
  { stands }: Scene,
  step: string,
  lives: number,
): Promise<boolean> {
  const mortal = dyingPool(context.sql, lives);
  const dying = startScenarioRuns({ ...context, sql: mortal.sql });
  while (!mortal.isDead() && !(await stands(step)));
  await dying.stop();
  if (await stands(step)) return mortal.isDead();
  clock.advance(leaseMs);
  const healthy = startScenarioRuns(context);
  while (!(await stands(step)));
  await healthy.stop();
  return true;
}

test('a process that is killed between any two statements repeats nothing and omits nothing', async () => {
  let deaths = 0;
  for (let lives = 1; ; lives += 1) {
    const clock = manualClock();
    const context = testContext(database, clock);
    const chat = await scene(context);
    await chat.push();
    const diedEarly = await reach(context, clock, chat, 'q', lives);
    await chat.say('blue');
    const diedHearing = await reach(context, clock, chat, 'w', lives);
    clock.advance(1000);
    const diedLate = await reach(context, clock, chat, 'z', lives);
    assert.deepEqual(await chat.texts(), ['one', 'two', 'three?', 'four blue'], `after ${lives} statements`);
    assert.deepEqual(await chat.traces(), { changes: 1, sessions: 1, mail: 0 }, `after ${lives} statements`);
    if (!diedEarly && !diedHearing && !diedLate) break;
    deaths += 1;
  }
  assert.ok(deaths > 20, `only ${deaths} kinds of death`);
});

test('a worker whose lease lapsed writes nothing: its request is repeated under the same key, its answer is not', async (t) => {
  const clock = manualClock();
  const context = testContext(database, clock);
  const { sql } = context;
  const partnerSystem = await startMessenger(t);
  const { projectId, chatId, push, texts } = await scene(context);
  await importScenario(context, {
    projectId,
    file: Buffer.from(
      JSON.stringify({
        name: 'Four',
        steps: [
          { id: 'r', type: 'request', method: 'POST', url: partnerSystem.url, keep: { left: '/left' } },
          { id: 'm', type: 'message', text: '{{left}} left' },
        ],
      }),
    ),
  });
  const late = Promise.withResolvers<() => void>();
  partnerSystem.behave((delivery, response) =>
    late.resolve(() => answerWith(200, {}, '{"left": "late"}')(delivery, response)),
  );
  await push();
  const worker = severable(sql);
  const first = startScenarioRuns({ ...context, sql: worker.sql });
  const answerLate = await late.promise;
  worker.cut();
  partnerSystem.behave(answerWith(200, {}, '{"left": 3}'));
  clock.advance(leaseMs);
  const second = startScenarioRuns(context);
  const ended = () => sql`select from scenario_runs where chat_id = ${chatId} and status = 'ended'`;
  while ((await ended()).length === 0);
  worker.mend();
  answerLate();
  await Promise.all([first.stop(), second.stop()]);
  assert.deepEqual(await texts(), ['3 left']);
  const keys = partnerSystem.deliveries.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});

test('two engines that start at once begin each run once', async () => {
  const context = testContext(database, manualClock());
  const { sql } = context;
  const { projectId } = await scene(context);
  const channelId = await seedChannel(sql, projectId);
  const chats: string[] = [];
  for (let count = 0; count < 40; count += 1) chats.push(await seedChat(sql, projectId, { channelId }));
  await queueMessages(
    sql,
    chats.map((chatId) => startOf(context.newId(), projectId, chatId)),
  );
  const engines = [startScenarioRuns(context), startScenarioRuns(context)];
  const started = () => sql<{ texts: string[] }[]>`
    select array_agg(coalesce(rendered, content) ->> 'text' order by id) as texts from messages
    where project_id = ${projectId} and chat_id = any (${chats}::uuid[]) and (rendered is not null or source = 'scenario')
    group by chat_id`;
  while ((await started()).some(({ texts }) => texts.length < 3) || (await started()).length < chats.length)
    await sendFirstMessages(sql, projectId);
  await Promise.all(engines.map((engine) => engine.stop()));
  assert.deepEqual(
    (await started()).map(({ texts }) => texts.join()),
    chats.map(() => 'one,two,three?'),
  );
});

test('a wait survives a restart, and so does a question', async () => {
  const clock = manualClock();
  const config = { secretKey: randomBytes(32).toString('base64') };
  const ends: (() => Promise<void>)[] = [];
  const first = await startPatchbay({ after: (end) => ends.push(end) }, { clock, database, config });
  const partner = await createPartner({ after }, first);
  const before = openShop(first, partner);
  await before.add('Tomorrow', [
    { id: 'q', type: 'ask', text: 'When?', keep: { variable: 'when' } },
    { id: 'w', type: 'wait', for: { days: 1 } },
    { id: 'b', type: 'message', text: 'It is {{when}}' },
  ]);
  const { chat } = await partner.client('max');
  await before.push(chat, 'Tomorrow');
  await before.hears('max', 1);
  for (const end of ends) await end();

  const second = await startPatchbay({ after }, { clock, database, config });
  const afterwards = openShop(second, partner);
  await afterwards.say('max', 'tomorrow');
  const waiting = () => second.context.sql`
    select from scenario_runs where chat_id = ${chat} and state -> 'at' ->> 'step' = 'w'`;
  while ((await waiting()).length === 0);
  clock.advance(86_400_000);
  second.context.wake.wake('running');
  assert.deepEqual(await afterwards.hears('max', 2), ['When?', 'It is tomorrow']);
});
