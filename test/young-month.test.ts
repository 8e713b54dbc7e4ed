import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { InboundEvent } from '../src/channels/contract/inbound.ts';
import { receiveEvents } from '../src/messaging/chats/receive.ts';
import { claimMessages } from '../src/messaging/sending/claim.ts';
import { giveBack } from '../src/messaging/sending/claim-store.ts';
import { recordMessages, renewLeases } from '../src/messaging/sending/store.ts';
import type { Context } from '../src/platform/context.ts';
import { manualClock } from './clock.ts';
import { testContext } from './context.ts';
import { testDatabase } from './database.ts';
import { partsOf } from './parts-of.ts';
import { readsIn } from './reads.ts';
import { noon, seedChannel, seedChat, seedProject } from './seed.ts';

/**
 * A partition has no statistics at the beginning of its month, and a new installation has none at all. The planner
 * then takes every table for a small one, and may read a whole project to find a few rows.
 */

const history = 3_000;
const queued = 40;
/** The operations below read each of their messages in several statements. */
const fewReads = 10 * queued;

const clock = manualClock(noon);
const { sql, longSql } = await testDatabase({ after });
const context = testContext({ sql }, clock);
const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);
const channel = { projectId, id: channelId, platform: 'API_Messenger' as const, name: 'Shop' };
const ann = await seedChat(sql, projectId, { channelId, external_id: 'ann' });

/** All of the project's history is in other chats. Ann got three messages. */
async function fill(): Promise<void> {
  const other = await seedChat(sql, projectId, { channelId, external_id: 'bob' });
  await longSql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state,
      sent_at, provider_id)
    select ${projectId}, uuid_floor(${noon}::timestamptz + n * interval '1 ms'),
      case when n % ${history / 3} = 0 then ${ann}::uuid else ${other}::uuid end, ${channelId}, 'out', 'stream', 'TEXT',
      '{"text": "hello", "buttons": [{"text": "Yes"}]}', ${noon}, 'SENT', ${noon}, 'provider-' || n
    from generate_series(1, ${history}::int) as n`;
  await longSql`
    with others as (
      insert into profiles (project_id, id, created_at, updated_at)
      select ${projectId}, uuid_floor(${noon}::timestamptz - n * interval '1 ms'), ${noon}, ${noon}
      from generate_series(1, ${history}::int) as n
      returning id
    )
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
    select ${projectId}, id, ${channelId}, id, 'API_Messenger', id, ${noon}, ${noon} from others`;
  await sql`
    insert into channel_pace (project_id, channel_id, tokens_at, resume_at, window_at)
    values (${projectId}, ${channelId}, ${noon}, ${noon}, ${noon})`;
  await longSql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state,
      lane, due_at)
    select ${projectId}, uuid_floor(${noon}::timestamptz + n * interval '1 minute'), ${ann}, ${channelId}, 'out', 'push',
      'TEXT', '{"text": "hello"}', ${noon}, 'PENDING', 0, ${noon}
    from generate_series(1, ${queued}::int) as n`;
}
await fill();

const annsMessages = await sql<{ id: string; provider_id: string }[]>`
  select id, provider_id from messages where chat_id = ${ann} and state = 'SENT' order by id`;
const [first, second, third] = annsMessages;
assert.ok(first && second && third);

const tables = ['messages', 'chats', 'profiles'];

/** The number of messages that the database reads for the work, which runs in a transaction of its own. */
async function readsOf(work: (context: Context) => Promise<unknown>): Promise<number> {
  return sql.begin(async (transaction) => {
    const before = await readsIn(transaction, tables);
    await work({ ...context, sql: Object.assign(transaction, partsOf(sql)) });
    return (await readsIn(transaction, tables)) - before;
  });
}

const told = (message: Partial<Extract<InboundEvent, { kind: 'message' }>['message']>): InboundEvent => ({
  kind: 'message',
  chat: { externalId: 'ann' },
  message: {
    externalId: context.newId(),
    type: 'text',
    text: 'hi',
    url: null,
    payload: null,
    ...message,
  },
});

const receipt = (message: Extract<InboundEvent, { kind: 'receipt' }>['message']): InboundEvent => ({
  kind: 'receipt',
  message,
  state: 'read',
  detail: '',
});

const receives = (event: InboundEvent) => (context: Context) => receiveEvents(context, channel, [event]);

async function claim({ sql }: Context) {
  const lease = context.newId();
  const until = new Date(noon.getTime() + 5_000);
  const claimed = await claimMessages(sql, [{ channelId, free: 64 }], {
    areSuspects: false,
    lease,
    now: noon,
    leaseUntil: until,
  });
  assert.equal(claimed.length, queued);
  return claimed;
}

async function claimAndRecord(context: Context): Promise<void> {
  const claimed = await claim(context);
  const renewed = await renewLeases(context.sql, claimed, new Date(noon.getTime() + 9_000));
  assert.equal(renewed.length, queued);
  const results = claimed.map(({ project_id, id, lease }) => ({
    project_id,
    id,
    lease,
    state: 'SENT',
    due_at: noon.toISOString(),
  }));
  await recordMessages(context.sql, results, [], noon);
}

const operations: { [name: string]: (context: Context) => Promise<unknown> } = {
  'a client writes': receives(told({})),
  'a client presses a button': receives(told({ type: 'button', text: 'Yes' })),
  'a message is read': receives(receipt({ uuid: first.id })),
  'a message is read by the provider’s id': receives(receipt({ providerId: second.provider_id })),
  'messages are claimed and given back': async (context) => giveBack(context.sql, await claim(context)),
  'messages are claimed, held and sent': claimAndRecord,
};

for (const [name, work] of Object.entries(operations)) {
  test(`${name}: the reads do not grow with the project’s history`, async (t) => {
    const reads = await readsOf(work);
    t.diagnostic(`${reads} reads`);
    assert.ok(reads <= fewReads, `${reads} reads`);
  });
}
