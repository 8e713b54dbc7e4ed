import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deleteCodesOfGroup } from '../src/clients/promocodes/codes-store.ts';
import { insertGroup } from '../src/clients/promocodes/groups-store.ts';
import { insertCodes } from '../src/clients/promocodes/new-codes-store.ts';
import { takeCodes } from '../src/clients/promocodes/reservation-store.ts';
import { recordEvents } from '../src/events/outbox.ts';
import { claimQueues } from '../src/events/queue-store.ts';
import { claimMailings, commonLane } from '../src/mailings/planner-store.ts';
import { deleteUnused } from '../src/messaging/attachments/store.ts';
import { queueMessages } from '../src/messaging/messages/queue-store.ts';
import { claimMessages } from '../src/messaging/sending/claim.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import { claimRuns } from '../src/scenarios/claim-store.ts';
import { takeEventStarts } from '../src/scenarios/event-starts-store.ts';
import { importScenario } from '../src/scenarios/import.ts';
import { takeOpenings } from '../src/scenarios/openings-store.ts';
import { takeStarts } from '../src/scenarios/starts-store.ts';
import { manualClock } from './clock.ts';
import { testContext } from './context.ts';
import { testDatabase, testDatabaseKind } from './database.ts';
import { seedMailing } from './planning-scene.ts';
import { noon, seedApplication, seedChannel, seedChat, seedEndpoint, seedProject } from './seed.ts';
import { isSomebodyWaiting, twoSessions } from './waiting.ts';
import { samplePayload } from './webhook-harness.ts';

const { sql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock(noon));
after(() => context.outbound.close());
const newId = () => uuidv7(noon);
const later = new Date(noon.getTime() + 5_000);
const four = [0, 1, 2, 3];
const two = 2;

/** Claims two of four objects and returns them. */
type Claim = (sql: Sql) => Promise<string[]>;

/** Every statement that claims rows, on a scene with four claimable ones. */
const claims: Record<string, () => Promise<Claim>> = {
  async 'chats of an endpoint'() {
    const projectId = await seedProject(sql);
    const endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
    const events = four.map(() => ({
      type: 'message_created' as const,
      projectId,
      chatId: newId(),
      platform: 'Widget',
      payload: samplePayload(newId()),
    }));
    await recordEvents(sql, events, noon, newId);
    return async (on) => {
      const lease = newId();
      await claimQueues(on, { endpointId, lease, leaseUntil: later }, two, noon);
      const rows = await on<{ id: string }[]>`select chat_id as id from event_queues where lease = ${lease}`;
      return rows.map(({ id }) => id);
    };
  },
  async mailings() {
    const projectId = await seedProject(sql);
    for (const _ of four) await seedMailing(context, projectId);
    return async (on) => {
      const claim = { lane: commonLane, free: two, lease: newId(), now: noon, leaseUntil: later };
      return (await claimMailings(on, claim)).map(({ id }) => id);
    };
  },
  async 'runs of scenarios'() {
    const { projectId, chats } = await chatsOfProject();
    await sql`
      insert into scenario_runs (project_id, chat_id, id, params, lane, due_at, created_at)
      select ${projectId}, id, id, '{}', 0, ${noon}, ${noon} from unnest(${chats}::uuid[]) as id`;
    return async (on) => {
      const lease = newId();
      await claimRuns(on, { projectId, lease, now: noon, leaseUntil: later }, two);
      const rows = await on<{ id: string }[]>`select chat_id as id from scenario_runs where lease = ${lease}`;
      return rows.map(({ id }) => id);
    };
  },
  async 'messages that start a scenario'() {
    const { projectId, chats } = await chatsOfProject();
    await queueMessages(
      sql,
      chats.map((chat) => ({ ...message(projectId, chat), channel_id: null, content_type: 'NODE' })),
    );
    return async (on) => {
      const lease = newId();
      await takeStarts(on, { projectId, lease, now: noon, leaseUntil: later }, two, newId);
      const rows = await on<
        { id: string }[]
      >`select start_id as id from scenario_runs where lease = ${lease}`;
      return rows.map(({ id }) => id);
    };
  },
  async 'scenarios whose first message was sent'() {
    const { projectId, chats } = await chatsOfProject();
    const started = chats.map((chat) => ({
      ...message(projectId, chat),
      channel_id: null,
      content_type: 'NODE',
    }));
    await queueMessages(sql, started);
    for (const { id, chat_id } of started)
      await sql`
        insert into scenario_openings (project_id, message_id, chat_id, id, params, state, lane, path, created_at)
        values (${projectId}, ${id}, ${chat_id}, ${id}, '{}', '{}', 0, '{}', ${noon})`;
    for (const state of ['IN_PROCESS', 'SENT'])
      await sql`update messages set state = ${state} where project_id = ${projectId}`;
    return async (on) => {
      const lease = newId();
      await takeOpenings(on, { projectId, lease, now: noon, leaseUntil: later }, two);
      const rows = await on<{ id: string }[]>`select chat_id as id from scenario_runs where lease = ${lease}`;
      return rows.map(({ id }) => id);
    };
  },
  async 'events that start a scenario'() {
    const { projectId, chats } = await chatsOfProject();
    const file = Buffer.from(JSON.stringify({ name: 'Welcome', steps: [{ id: 'bye', type: 'end' }] }));
    const { id: scenarioId } = await importScenario(context, { projectId, file });
    await sql`
      insert into scenario_event_starts (project_id, chat_id, scenario_id, params, due_at)
      select ${projectId}, id, ${scenarioId}, '{}', ${noon} from unnest(${chats}::uuid[]) as id`;
    return async (on) => {
      const lease = newId();
      const wanted = { free: two, platforms: ['API_Messenger'] };
      await takeEventStarts(on, { projectId, lease, now: noon, leaseUntil: later }, wanted, newId);
      const rows = await on<{ id: string }[]>`select chat_id as id from scenario_runs where lease = ${lease}`;
      return rows.map(({ id }) => id);
    };
  },
  async 'promo codes for messages'() {
    const { projectId, chats, group } = await codesOfGroup();
    return async (on) => {
      const recipients = chats.slice(0, two).map((chat_id) => ({ message_id: newId(), chat_id }));
      const taken = await takeCodes(on, projectId, [group], recipients, noon);
      return taken.flatMap(({ promocodes }) => Object.values(promocodes));
    };
  },
  async 'promo codes of a deleted group'() {
    const { projectId, group } = await codesOfGroup();
    return async (on) => goneOf(await deleteCodesOfGroup(on, projectId, group.id, two));
  },
  async 'unsent attachments'() {
    const projectId = await seedProject(sql);
    for (const _ of four) {
      await sql`
        insert into attachments (project_id, id, name, media_type, size, created_at)
        values (${projectId}, ${newId()}, 'a.png', 'image/png', 1, ${noon})`;
    }
    return async (on) => (await deleteUnused(on, later, two)).map(({ id }) => id);
  },
};

for (const [what, scene] of Object.entries(claims)) {
  test(`two concurrent claims of ${what} take different ones, and neither waits`, async () => {
    const claim = await scene();
    const taken =
      testDatabaseKind === 'server'
        ? await besideEachOther(claim)
        : [...(await claim(sql)), ...(await claim(sql))];
    assert.equal(taken.length, four.length);
    assert.equal(new Set(taken).size, four.length);
    assert.deepEqual(await claim(sql), []);
  });
}

test('a message locked by another transaction keeps no other from being claimed', twoSessions, async () => {
  const { projectId, channelId, chats } = await chatsOfProject();
  const rows = chats.map((chat) => ({ ...message(projectId, chat), channel_id: channelId }));
  await queueMessages(sql, rows);
  const [busy, ...others] = rows.map(({ id }) => id);
  const claim: Claim = async (on) => {
    const claimed = await claimMessages(on, [{ channelId, free: 10 }], {
      lease: newId(),
      now: noon,
      leaseUntil: later,
    });
    return claimed.map(({ id }) => id);
  };
  const claimed = await sql.begin(async (cancel) => {
    await cancel`select from messages where project_id = ${projectId} and id = ${busy ?? ''} for update`;
    return withoutWaiting(claim(sql));
  });
  assert.deepEqual(claimed.toSorted(), others.toSorted());
  assert.deepEqual(await claim(sql), [busy]);
});

/** Runs the second while the first is not committed yet. */
const besideEachOther = (claim: Claim): Promise<string[]> =>
  sql.begin(async (first) => [...(await claim(first)), ...(await withoutWaiting(claim(sql)))]);

async function withoutWaiting<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  while (!isDone) {
    if (await isSomebodyWaiting(sql)) throw new Error('The second waits for the first.');
  }
  return done;
}

/** Deleted objects have no names any more. */
const goneOf = (count: number): string[] => Array.from({ length: count }, newId);

async function chatsOfProject() {
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  await sql`
    insert into channel_pace (project_id, channel_id, tokens_at, resume_at, window_at)
    values (${projectId}, ${channelId}, ${noon}, ${noon}, ${noon})`;
  const chats: string[] = [];
  for (const _ of four) chats.push(await seedChat(sql, projectId, { channelId }));
  return { projectId, channelId, chats };
}

async function codesOfGroup() {
  const { projectId, chats } = await chatsOfProject();
  const group = { id: newId(), name: 'Spring' };
  await insertGroup(sql, projectId, { ...group, createdAt: noon });
  await insertCodes(
    sql,
    four.map((number) => ({
      project_id: projectId,
      id: newId(),
      group_id: group.id,
      code: `CODE-${number}`,
      status: 'AVAILABLE' as const,
      issued_chat_id: null,
      issued_at: null,
      expires_at: null,
      created_at: noon,
    })),
  );
  return { projectId, chats, group };
}

const message = (projectId: string, chat: string) => ({
  id: newId(),
  project_id: projectId,
  chat_id: chat,
  source: 'push' as const,
  content_type: 'TEXT',
  content: { text: 'Hello', node: { name: 'Welcome' } },
  is_force: false,
  created_at: noon,
  lane: 0 as const,
  due_at: noon,
  state: 'PENDING' as const,
});
