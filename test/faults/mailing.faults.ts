import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/storage/database.ts';
import type { Lifetime, Partner } from '../harness.ts';
import { startSupervised } from './crash.ts';
import { claims, lapseClaims } from './home.ts';
import { inFlightCount } from './traffic.ts';
import { until } from './until.ts';

const clients = 200;
const kills = 20;
/** A mailing for so many comes to its end in about this time: every stage is hit now and then. */
const longestLifeMs = 2_000;

test('twenty mailings through twenty kills: each client has each once, and each completes', async (t) => {
  const { home, supervisor, partner } = await startSupervised(t);
  await home.look((sql) => addClients(sql, partner));
  const file = await serveList(t);
  const inFlight = inFlightCount();
  const uuids: string[] = [];
  const stages: string[] = [];
  for (let round = 0; round < kills; round += 1) {
    const audience =
      round % 2 === 0
        ? { filter_chats: { all: [] } }
        : { customer_filter_field: 'EXTERNAL_ID', customer_filter_file: file };
    const { status, body } = await supervisor.call('POST', '/api/partners/mailings/', {
      headers: { ...partner.key, 'idempotency-key': `round ${round}` },
      body: { name: 'Spring', text: `Mailing ${round}`, ...audience },
    });
    assert.equal(status, 201, JSON.stringify(body));
    uuids.push(body.uuid);
    // Most kills come early, where the short stages are.
    await pause(Math.random() ** 4 * longestLifeMs);
    await supervisor.restart('SIGKILL', () =>
      home.look(async (sql) => {
        inFlight.add(await claims(sql));
        stages.push(await stageOf(sql, body.uuid));
        await lapseClaims(sql);
        await sql`update mailings set due_at = now() where lease is not null`;
      }),
    );
  }

  await until(() =>
    home.look(async (sql) => (await sql`select from mailings where state <> 'completed'`).length === 0),
  );
  for (const [round, uuid] of uuids.entries()) {
    const { body } = await supervisor.call('GET', `/api/partners/mailings/${uuid}/`, {
      headers: partner.key,
    });
    const { count_planned, count_sent, count_undelivered } = body.statistics;
    assert.deepEqual(
      [count_planned, count_sent, count_undelivered],
      [clients, clients, 0],
      `mailing ${round}`,
    );
    const reached = new Set(
      partner.messenger.deliveries
        .filter((delivery) => delivery.body.payload.message.text === `Mailing ${round}`)
        .map((delivery) => delivery.body.payload.chat.external_id),
    );
    assert.equal(reached.size, clients, `mailing ${round}`);
  }
  const repeats = partner.messenger.deliveries.length - clients * kills;
  assert.ok(repeats <= inFlight.total(), `${repeats} repeats, ${inFlight.total()} in flight`);
  t.diagnostic(JSON.stringify({ stages, repeats, inFlight: inFlight.total() }));
});

async function addClients(sql: Sql, { projectId, channel }: Partner): Promise<void> {
  await sql`
    with made as (
      insert into profiles (project_id, id, external_id, created_at, updated_at)
      select ${projectId}, gen_random_uuid(), 'client ' || n, now(), now() from generate_series(1, ${clients}::integer) as n
      returning id, external_id
    )
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
    select ${projectId}, gen_random_uuid(), ${channel.id}, id, 'API_Messenger', external_id, now(), now() from made`;
}

/** A file with a line for each client, that takes its time to come. */
async function serveList(lifetime: Lifetime): Promise<string> {
  const lines = Array.from({ length: clients }, (_, index) => `client ${index + 1}`);
  const server = createServer((_request, response) => {
    setTimeout(() => response.end(`external_id\n${lines.join('\n')}\n`), Math.random() * 200);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  lifetime.after(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/clients.csv`;
}

async function stageOf(sql: Sql, id: string): Promise<string> {
  const [row] = await sql<
    { state: string; stage: string | null }[]
  >`select state, stage from mailings where id = ${id}`;
  return row?.stage ?? row?.state ?? '';
}
