import { setImmediate as nextTurn } from 'node:timers/promises';
import { startWebhooks } from '../src/events/delivery/engine.ts';
import { recordEvents } from '../src/events/outbox.ts';
import { currentSecret, firstSecrets, sealSecrets } from '../src/events/secrets.ts';
import { manualClock } from './clock.ts';
import { testContext } from './context.ts';
import { testDatabase } from './database.ts';
import { seedApplication, seedProject } from './seed.ts';

type Lifetime = { after(cleanUp: () => Promise<void>): void };

export type Webhook = {
  projectId: string;
  applicationId: string;
  endpointId: string;
  secret: string;
  /** Writes one event for each of the chats in order, and returns the events' ids. */
  announce(...chatIds: string[]): Promise<string[]>;
};

/** The payload of a `message_created`. */
export const samplePayload = (chatId: string) => ({
  chat: { uuid: chatId, platform: 'Widget', name: 'Ann', phone: null, avatar: null },
  profile: { uuid: chatId },
  message: { uuid: chatId, type: 'text', text: 'Hi', external_id: null },
  session: null,
});

/** The outbox and the engine, without the rest of the program. */
export async function startDeliveries(lifetime: Lifetime) {
  const { sql } = await testDatabase(lifetime);
  const clock = manualClock();
  const context = testContext({ sql }, clock);
  lifetime.after(() => context.outbound.close());

  /** An integration's endpoint for everything, in a new project. */
  async function webhook(url: string): Promise<Webhook> {
    const { newId, vault } = context;
    const [projectId, applicationId, endpointId] = [
      await seedProject(sql),
      await seedApplication(sql),
      newId(),
    ];
    const secrets = firstSecrets();
    await sql`
      insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
      values (${projectId}, ${endpointId}, ${applicationId}, ${url}, '{}', '{}',
        ${sealSecrets(vault, endpointId, secrets)}, ${clock.now()})`;
    const announce = async (...chatIds: string[]): Promise<string[]> => {
      const events = chatIds.map((chatId) => ({
        type: 'message_created' as const,
        projectId,
        chatId,
        platform: 'Widget',
        payload: samplePayload(chatId),
      }));
      const ids: string[] = [];
      await recordEvents(sql, events, clock.now(), () => {
        ids.push(newId());
        return ids.at(-1) ?? '';
      });
      return ids;
    };
    return { projectId, applicationId, endpointId, secret: currentSecret(secrets), announce };
  }

  /** Runs engines, each with its own context, until nothing is due at the clock's time. */
  async function deliver(...contexts: (typeof context)[]): Promise<void> {
    const engines = (contexts.length > 0 ? contexts : [context]).map(startWebhooks);
    while ((await busyChats()) > 0) await nextTurn();
    await Promise.all(engines.map((engine) => engine.stop()));
  }

  async function busyChats(): Promise<number> {
    const [row] = await sql<[{ count: number }]>`
      select count(*) from event_queues queue join endpoints on endpoints.id = queue.endpoint_id
      where disabled_at is null and waiting > 0 and (due_at <= ${clock.now()} or lease is not null)`;
    return row.count;
  }

  const queue = async (chatId: string) => {
    const [row] = await sql<{ waiting: number; due_at: Date; lease: string | null }[]>`
      select waiting, due_at, lease from event_queues where chat_id = ${chatId}`;
    return row ?? { waiting: 0, due_at: clock.now(), lease: null };
  };

  const event = async (id: string) => {
    const [row] = await sql<{ state: string; attempts: number; finished_at: Date | null }[]>`
      select state, attempts, finished_at from events where id = ${id}`;
    return row;
  };

  const endpoint = async ({ endpointId }: Webhook) => {
    const [row] = await sql<
      { failing_since: Date | null; disabled_at: Date | null; disabled_reason: string | null }[]
    >`
      select failing_since, disabled_at, disabled_reason from endpoints where id = ${endpointId}`;
    return row;
  };

  return { context, sql, clock, webhook, deliver, queue, event, endpoint };
}
