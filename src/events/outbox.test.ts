import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { noon, seedApplication, seedProject } from '../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../test/waiting.ts';
import { uuidv7 } from '../platform/id.ts';
import { outboxRow, recordEvents } from './outbox.ts';
import type { Event } from './types.ts';

const { sql, kind } = await testDatabase({ after });
const newId = () => uuidv7(noon);

type Filters = {
  applicationId?: string | null;
  eventTypes?: string[];
  platforms?: string[];
  disabled?: boolean;
};

async function endpoint(projectId: string, filters: Filters = {}): Promise<string> {
  const { applicationId = await seedApplication(sql), eventTypes = [], platforms = [], disabled } = filters;
  const id = newId();
  await sql`
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, disabled_at,
      created_at)
    values (${projectId}, ${id}, ${applicationId}, 'https://crm.example/', ${eventTypes}, ${platforms}, '',
      ${disabled ? noon : null}, ${noon})`;
  return id;
}

const message = (projectId: string, more: Partial<Event> = {}): Event => ({
  type: 'message_created',
  projectId,
  chatId: newId(),
  platform: 'Widget',
  payload: { text: 'Hi' },
  ...more,
});

const announce = (...events: Event[]) => recordEvents(sql, events, noon, newId);

const heardBy = async (endpointId: string): Promise<string[]> => {
  const rows = await sql<{ event_type: string }[]>`
    select event_type from events where endpoint_id = ${endpointId} order by seq`;
  return rows.map(({ event_type }) => event_type);
};

test('an endpoint gets events of its own project, of its kinds and platforms only', async () => {
  const [mine, other] = [await seedProject(sql), await seedProject(sql)];
  const everything = await endpoint(mine);
  const updates = await endpoint(mine, { eventTypes: ['message_updated', 'session_updated'] });
  const telegram = await endpoint(mine, { platforms: ['Telegram', 'Max'] });
  const both = await endpoint(mine, { eventTypes: ['message_updated'], platforms: ['Telegram'] });
  const foreign = await endpoint(other);
  await announce(
    message(mine),
    message(mine, { type: 'message_updated', platform: 'Telegram' }),
    message(mine, { type: 'session_updated' }),
  );
  assert.deepEqual(await heardBy(everything), ['message_created', 'message_updated', 'session_updated']);
  assert.deepEqual(await heardBy(updates), ['message_updated', 'session_updated']);
  assert.deepEqual(await heardBy(telegram), ['message_updated']);
  assert.deepEqual(await heardBy(both), ['message_updated']);
  assert.deepEqual(await heardBy(foreign), []);
});

test('the mailing kinds go to the project’s own webhook, and all others to integrations', async () => {
  const project = await seedProject(sql);
  const own = await endpoint(project, { applicationId: null });
  const integration = await endpoint(project);
  await announce(
    message(project),
    message(project, { type: 'mailing.state' }),
    message(project, { type: 'mailing.reaction' }),
  );
  assert.deepEqual(await heardBy(own), ['mailing.state', 'mailing.reaction']);
  assert.deepEqual(await heardBy(integration), ['message_created']);
});

test('an event without a platform also reaches endpoints that chose some', async () => {
  const project = await seedProject(sql);
  const telegram = await endpoint(project, { platforms: ['Telegram'] });
  await announce(message(project, { platform: null }), message(project));
  assert.deepEqual(await heardBy(telegram), ['message_created']);
});

test('an integration does not get events of its own actions, and the others do', async () => {
  const project = await seedProject(sql);
  const applicationId = await seedApplication(sql);
  const author = await endpoint(project, { applicationId });
  const other = await endpoint(project);
  await announce(message(project, { type: 'operator_replied', exceptApplicationId: applicationId }));
  assert.deepEqual(await heardBy(author), []);
  assert.deepEqual(await heardBy(other), ['operator_replied']);
});

test('events for a disabled endpoint are kept, and delay no other', async () => {
  const project = await seedProject(sql);
  const disabled = await endpoint(project, { disabled: true });
  const other = await endpoint(project);
  await announce(message(project));
  assert.deepEqual(await heardBy(disabled), ['message_created']);
  const states = await sql`select endpoint_id, state from events where project_id = ${project}`;
  assert.deepEqual(
    new Map(states.map(({ endpoint_id, state }) => [endpoint_id, state])),
    new Map([
      [disabled, 'KEPT'],
      [other, 'PENDING'],
    ]),
  );
  const queues = await sql`select endpoint_id from event_queues where project_id = ${project}`;
  assert.deepEqual([...queues], [{ endpoint_id: other }]);
});

test('time is in milliseconds for integrations, and in seconds with a fraction for the project’s own', () => {
  const moment = new Date('2026-11-20T12:00:00.250Z');
  const stamp = (type: Event['type']) =>
    JSON.parse(outboxRow(message('p', { type }), 'id', moment, {}).body).timestamp;
  assert.equal(stamp('message_created'), 1_795_176_000_250);
  assert.equal(stamp('mailing.state'), 1_795_176_000.25);
});

test('a chat’s queue counts the events added to it, and keeps its due time', async () => {
  const project = await seedProject(sql);
  const endpointId = await endpoint(project);
  const chatId = newId();
  const later = new Date(noon.getTime() + 60_000);
  await announce(message(project, { chatId }), message(project, { chatId }));
  await recordEvents(sql, [message(project, { chatId })], later, newId);
  const queues =
    await sql`select chat_id, waiting, due_at from event_queues where endpoint_id = ${endpointId}`;
  assert.deepEqual([...queues], [{ chat_id: chatId, waiting: 3, due_at: noon }]);
});

test('an empty queue is due at once when an event is added', async () => {
  const project = await seedProject(sql);
  const endpointId = await endpoint(project);
  const chatId = newId();
  const later = new Date(noon.getTime() + 60_000);
  await announce(message(project, { chatId }));
  await sql`update event_queues set waiting = 0, due_at = ${new Date(0)} where endpoint_id = ${endpointId}`;
  await recordEvents(sql, [message(project, { chatId })], later, newId);
  const queues = await sql`select waiting, due_at from event_queues where endpoint_id = ${endpointId}`;
  assert.deepEqual([...queues], [{ waiting: 1, due_at: later }]);
});

test('events of one chat are written in order', async () => {
  const project = await seedProject(sql);
  const endpointId = await endpoint(project);
  const chatId = newId();
  const types = ['message_created', 'message_updated', 'session_updated'] as const;
  await announce(...types.map((type) => message(project, { chatId, type })));
  assert.deepEqual(await heardBy(endpointId), types);
});

test('chats are locked in one order, whatever the order of their events', twoSessions, async () => {
  const project = await seedProject(sql);
  const endpointId = await endpoint(project);
  const chats = Array.from({ length: 2 }, newId).toSorted();
  const [first = '', second = ''] = chats;
  await announce(...chats.map((chatId) => message(project, { chatId })));
  const queue = (chat: string) =>
    sql`select from event_queues where endpoint_id = ${endpointId} and chat_id = ${chat}`;
  let writing: Promise<void> = Promise.resolve();
  await sql.begin(async (transaction) => {
    await transaction`${queue(first)} for update`;
    writing = announce(...chats.toReversed().map((chatId) => message(project, { chatId })));
    await somebodyWaits(sql);
    // A writer that waits for the first has not locked the second yet.
    assert.equal((await sql`${queue(second)} for update skip locked`).length, 1);
  });
  await writing;
});

test('writers of the same chats in any order never deadlock', async () => {
  const project = await seedProject(sql);
  const endpointId = await endpoint(project);
  const chats = Array.from({ length: 10 }, newId);
  const writers = Array.from({ length: 150 }, (_, index) => {
    const order = index % 2 === 0 ? chats : chats.toReversed();
    return announce(...order.map((chatId) => message(project, { chatId })));
  });
  await Promise.all(writers);
  const [row] = await sql`
    select sum(waiting)::int as waiting, (select count(*) from events where endpoint_id = ${endpointId}) as written
    from event_queues where endpoint_id = ${endpointId}`;
  assert.deepEqual(row, { waiting: 1_500, written: 1_500 });
});

test('a writer waits for an endpoint that is being deleted, and skips it', {
  skip: kind === 'embedded' && 'the embedded database has one session: no other session can wait',
}, async () => {
  const project = await seedProject(sql);
  const going = await endpoint(project);
  const staying = await endpoint(project);
  const { promise: written, resolve } = Promise.withResolvers<Promise<void>>();
  await sql.begin(async (deleting) => {
    await deleting`delete from endpoints where id = ${going}`;
    resolve(announce(message(project)));
    // The writer's snapshot is from before the end of this transaction.
    for (;;) {
      const [row] = await deleting`select count(*) from pg_locks where not granted`;
      if (row?.count > 0) break;
    }
  });
  await written;
  assert.deepEqual(await heardBy(going), []);
  assert.deepEqual(await heardBy(staying), ['message_created']);
});
