import assert from 'node:assert/strict';
import type { Lifetime, Partner } from '../harness.ts';
import { type Delivery, startMessenger } from '../stand-ins/messenger.ts';
import { crashAgainAndAgain, type Plan, startSupervised } from './crash.ts';
import type { Supervisor } from './supervisor.ts';
import { slowProvider } from './traffic.ts';
import { until } from './until.ts';

const clients = 20;

/**
 * Lets clients write while the program is ended again and again. Checks that the partner got every message, those of
 * a chat in order. A repeat has the same id, and needs a chat that was being delivered at an end.
 */
export async function deliverThroughCrashes(lifetime: Lifetime, plan: Plan) {
  const { home, supervisor, partner } = await startSupervised(lifetime);
  const receiver = await startMessenger(lifetime);
  await supervisor.call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: receiver.url, webhook_events: ['message_created'] },
  });
  receiver.behave(slowProvider);

  const writing = Promise.all(
    Array.from({ length: clients }, (_, client) =>
      write(supervisor, partner, `client ${client}`, plan.messages / clients),
    ),
  );
  const served = new Set<string>();
  await crashAgainAndAgain({ home, supervisor }, plan, receiver, async (sql) => {
    const queues = await sql<{ chat_id: string; lease: string }[]>`
      select chat_id, lease from event_queues where lease is not null`;
    for (const { chat_id, lease } of queues) served.add(`${chat_id} ${lease}`);
  });
  await writing;
  await home.look((sql) =>
    until(async () => {
      const [row] = await sql`select count(*) from events where state = 'DELIVERED'`;
      return row?.count === plan.messages;
    }),
  );
  const repeats = checkDeliveries(receiver.deliveries, plan.messages / clients, served);
  return {
    events: plan.messages,
    inFlight: served.size,
    repeats,
    brokenRequests: supervisor.brokenRequests(),
  };
}

/** One message after another. */
async function write(
  { call }: Supervisor,
  { channel }: Partner,
  client: string,
  count: number,
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const { status, body } = await call('POST', `/channels/${channel.id}/messages/`, {
      headers: { authorization: `Bearer ${channel.secret}` },
      body: {
        chat: { external_id: client },
        message: { external_id: `${client} ${number}`, type: 'text', text: `${number}` },
      },
    });
    assert.equal(status, 200, JSON.stringify(body));
  }
}

/** Returns the number of repeats. */
function checkDeliveries(deliveries: Delivery[], ofEach: number, served: Set<string>): number {
  const events = deliveries.filter(({ body }) => body.event_type === 'message_created');
  const chats = Map.groupBy(events, ({ body }): string => body.payload.chat.uuid);
  assert.equal(chats.size, clients);
  for (const [chat, ofChat] of chats) {
    const firsts = [...Map.groupBy(ofChat, ({ headers }) => headers['webhook-id']).values()].map(
      ([first]) => first,
    );
    assert.deepEqual(
      firsts.map((first) => first?.body.payload.message.text),
      Array.from({ length: ofEach }, (_, number) => `${number}`),
    );
    const timesServed = [...served].filter((lease) => lease.startsWith(chat)).length;
    assert.ok(
      ofChat.length - ofEach <= timesServed,
      `${chat} had more repeats than ends while it was served`,
    );
  }
  return events.length - clients * ofEach;
}
