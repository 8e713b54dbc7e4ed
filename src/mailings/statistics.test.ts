import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { seedMailing, seedMailingMessages } from '../../test/mailing.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../test/seed.ts';
import type { Receipt } from '../channels/contract/capabilities.ts';
import type { InboundEvent } from '../channels/contract/inbound.ts';
import { receiveEvents } from '../messaging/chats/receive.ts';
import { claimMessages } from '../messaging/sending/claim.ts';
import { recordMessages } from '../messaging/sending/store.ts';
import { insertConversion } from './conversions/store.ts';
import { markJumped } from './links-store.ts';
import { presentMailing } from './present.ts';
import { addDifference, holdRecount } from './recount-store.ts';
import { findMailing, stopMailing } from './store.ts';

const { sql } = await testDatabase({ after });
const clock = manualClock();
const context = testContext({ sql }, clock);
after(() => context.outbound.close());

type Counts = Record<string, number>;

const recipients = 4;

async function scene() {
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  await sql`
    insert into channel_pace (project_id, channel_id, tokens_at, resume_at, window_at)
    values (${projectId}, ${channelId}, ${noon}, ${noon}, ${noon})`;
  const names = Array.from({ length: recipients }, (_, index) => `client-${index}`);
  const chats = await Promise.all(
    names.map((external_id) => seedChat(sql, projectId, { channelId, external_id })),
  );
  const mailing = await seedMailing(sql, projectId);
  const messages = await seedMailingMessages(
    sql,
    projectId,
    mailing,
    chats.map((chat) => ({ chat })),
  );
  const channel = { projectId, id: channelId, platform: 'API_Messenger', name: 'Messenger' } as const;
  return { projectId, channel, names, mailing, messages };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** The statistics of the mailing, and the cancelled messages, which they leave out. */
async function said({ projectId, mailing }: Scene): Promise<Counts> {
  const row = await findMailing(sql, projectId, mailing);
  assert.ok(row);
  const [{ cancelled }] = await sql<[{ cancelled: number }]>`
    select sum(cancelled)::int as cancelled from mailing_counts where mailing_id = ${mailing}`;
  const { count_platforms, ...counts } = presentMailing(row, noon).statistics;
  assert.deepEqual(count_platforms, { API_Messenger: recipients });
  return { ...counts, cancelled };
}

/** The same from the messages alone. */
async function counted({ mailing }: Scene): Promise<Counts & { pending: number }> {
  const rows = await sql<
    { state: string; clicked_at: Date | null; jumped_at: Date | null; replied_at: Date | null }[]
  >`
    select state, clicked_at, jumped_at, replied_at from messages where mailing_id = ${mailing}`;
  const [{ converted }] = await sql<[{ converted: number }]>`
    select count(*)::int as converted from messages
    join chats on chats.project_id = messages.project_id and chats.id = chat_id
    where mailing_id = ${mailing} and state in ('SENT', 'DELIVERED', 'READ') and exists (
      select from conversions where conversions.profile_id = chats.profile_id and happened_at >= sent_at
    )`;
  const got = rows.filter(({ state }) => state !== 'UNDELIVERED' && state !== 'ERROR');
  const inStates = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).length;
  return {
    count_planned: rows.length,
    count_sent: inStates('SENT', 'DELIVERED', 'READ'),
    count_delivered: inStates('DELIVERED', 'READ'),
    count_undelivered: inStates('UNDELIVERED', 'ERROR'),
    count_read: inStates('READ'),
    count_clicked: got.filter(({ clicked_at }) => clicked_at).length,
    count_jumped_url: got.filter(({ jumped_at }) => jumped_at).length,
    count_replied: got.filter(({ replied_at }) => replied_at).length,
    count_converted: converted,
    cancelled: inStates('CANCELLED'),
    pending: inStates('PENDING', 'IN_PROCESS'),
  };
}

type Step =
  | { kind: 'send'; free: number; ends: string[] }
  | { kind: 'receipt'; at: number; state: Receipt }
  | { kind: 'write'; at: number; button: boolean }
  | { kind: 'jump'; at: number }
  | { kind: 'convert'; at: number }
  | { kind: 'stop' }
  | { kind: 'recount' };

const at = fc.nat({ max: recipients - 1 });
const end = fc.constantFrom('SENT', 'SENT', 'SENT', 'UNDELIVERED', 'ERROR', 'PENDING', 'IN_PROCESS');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      free: fc.integer({ min: 1, max: recipients }),
      ends: fc.array(end, { minLength: recipients, maxLength: recipients }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('receipt' as const),
      at,
      state: fc.constantFrom<Receipt>('delivered', 'read', 'undelivered'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const), at, button: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('jump' as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('convert' as const), at }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'stop' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'recount' as const }) },
);

let written = 0;

function perform(scene: Scene, step: Step): Promise<unknown> {
  const { projectId, channel, mailing, messages, names } = scene;
  const receive = (event: InboundEvent) => receiveEvents(context, channel, [event]);
  switch (step.kind) {
    case 'send':
      return send(scene, step.free, step.ends);
    case 'receipt':
      return receive({
        kind: 'receipt',
        message: { uuid: messages[step.at] ?? '' },
        state: step.state,
        detail: '',
      });
    case 'write':
      written += 1;
      return receive({
        kind: 'message',
        chat: { externalId: names[step.at] ?? '' },
        message: {
          externalId: `m${written}`,
          type: step.button ? 'button' : 'text',
          text: 'Yes',
          url: null,
          payload: null,
        },
      });
    case 'jump':
      return markJumped(sql, { projectId, messageId: messages[step.at] ?? '', index: 0 }, {}, noon);
    case 'convert':
      return convert(scene, names[step.at] ?? '');
    case 'stop':
      return stopMailing(sql, projectId, mailing, noon);
    case 'recount':
      return recount(scene);
  }
}

let roundBeganAt = noon;

/** Before everything that is sent in this round. */
async function convert({ projectId }: Scene, name: string): Promise<void> {
  const happened_at = new Date(roundBeganAt.getTime() - 1);
  const [chat] = await sql<{ profile_id: string }[]>`
    select profile_id from chats where project_id = ${projectId} and external_id = ${name}`;
  const id = context.newId();
  const conversion = { id, key: id, name: null, profile_id: chat?.profile_id ?? '', happened_at };
  await insertConversion(sql, { ...conversion, project_id: projectId, created_at: happened_at });
}

async function sentOf({ mailing }: Scene): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from messages where mailing_id = ${mailing} and state = 'SENT'`;
  return rows.map(({ id }) => id);
}

const recount = ({ projectId, mailing }: Scene) =>
  sql.begin(async (transaction) => {
    await holdRecount(transaction, mailing);
    await addDifference(transaction, projectId, mailing);
  });

async function send({ channel }: Scene, free: number, ends: string[]): Promise<void> {
  // Later than every lease and retry.
  clock.advance(100_000);
  const now = clock.now();
  const claimed = await claimMessages(sql, [{ channelId: channel.id, free }], {
    lease: context.newId(),
    now,
    leaseUntil: new Date(now.getTime() + 1000),
  });
  const results = claimed.map((message, index) => ({
    project_id: message.project_id,
    id: message.id,
    lease: message.lease,
    state: ends[index] ?? 'SENT',
    due_at: now.toISOString(),
    rendered: { type: 'text' as const, text: 'Hello', buttons: [{ text: 'Yes' }] },
  }));
  await recordMessages(sql, results, [], now);
}

test('the statistics match the messages, whatever happens, in whatever order and at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 10 }),
      async (rounds) => {
        const here = await scene();
        for (const round of rounds) {
          roundBeganAt = clock.now();
          await Promise.all(round.map((step) => perform(here, step)));
          const { pending, ...truth } = await counted(here);
          const sum =
            Number(truth.count_sent) + Number(truth.count_undelivered) + pending + Number(truth.cancelled);
          assert.equal(truth.count_planned, sum);
          assert.deepEqual(await said(here), truth);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('what a client did with a message that fails later does not count, also not after a recount', async () => {
  const here = await scene();
  await send(here, 1, ['SENT']);
  const [messageId = ''] = await sentOf(here);
  const place = here.messages.indexOf(messageId);
  const steps: Step[] = [
    { kind: 'jump', at: place },
    { kind: 'write', at: place, button: true },
    { kind: 'write', at: place, button: false },
  ];
  for (const step of steps) await perform(here, step);
  const did = async () => {
    const { count_clicked, count_jumped_url, count_replied, count_undelivered } = await said(here);
    return [count_clicked, count_jumped_url, count_replied, count_undelivered];
  };
  assert.deepEqual(await did(), [1, 1, 1, 0]);
  await perform(here, { kind: 'receipt', at: place, state: 'undelivered' });
  assert.deepEqual(await did(), [0, 0, 0, 1]);
  await recount(here);
  assert.deepEqual(await did(), [0, 0, 0, 1]);
});

test('a recount corrects wrong statistics once, and leaves right ones alone', async () => {
  const here = await scene();
  await send(here, 2, ['SENT', 'ERROR']);
  await recount(here);
  const slots = () =>
    sql`select xmin, * from mailing_counts where mailing_id = ${here.mailing} order by slot`;
  const before = await slots();
  await recount(here);
  assert.deepEqual(await slots(), before);

  const right = await said(here);
  await sql`update mailing_counts set sent = sent + 7, planned = 0 where mailing_id = ${here.mailing}`;
  await sql`update mailing_platforms set planned = 9 where mailing_id = ${here.mailing}`;
  await sql`
    insert into mailing_platforms (project_id, mailing_id, platform, planned)
    values (${here.projectId}, ${here.mailing}, 'Viber', 0)`;
  await Promise.all([recount(here), recount(here), recount(here)]);
  await sql`delete from mailing_platforms where mailing_id = ${here.mailing} and planned = 0`;
  assert.deepEqual(await said(here), right);

  await sql`update mailing_platforms set planned = 1 where mailing_id = ${here.mailing}`;
  await recount(here);
  assert.deepEqual(await said(here), right);
  await sql`delete from mailing_platforms where mailing_id = ${here.mailing}`;
  await recount(here);
  assert.deepEqual(await said(here), right);
});
