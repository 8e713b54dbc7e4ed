import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { importScenario } from '../../src/scenarios/import.ts';
import type { Lifetime, Partner } from '../harness.ts';
import { answerWith, type Delivery, startMessenger } from '../stand-ins/messenger.ts';
import { addRecipients, type Recipient } from './audience.ts';
import { startSupervised } from './crash.ts';
import { claims, lapseClaims } from './home.ts';
import { checkHeard, heardBy } from './mailing-accounts.ts';
import type { Supervisor } from './supervisor.ts';
import { callMs, inFlightCount, postAll, slowProvider } from './traffic.ts';
import { until } from './until.ts';

type Plan = {
  chats: number;
  crashes: number;
  /** Whether the test ends the claims of dead programs. Otherwise the next program waits for their end. */
  lapse: boolean;
};

/** The texts for a client, in order. */
const told = ({ name }: Recipient): string[] => [
  `Hello ${name}`,
  'Which colour?',
  '7 left. Which size?',
  `colour of ${name}, size of ${name}`,
];

const scenarioWith = (stockUrl: string) => ({
  name: 'Order',
  steps: [
    { id: 'hello', type: 'message', text: 'Hello {{who}}' },
    { id: 'colour', type: 'ask', text: 'Which colour?', keep: { variable: 'colour' } },
    { id: 'pause', type: 'wait', for: { seconds: 1 } },
    { id: 'stock', type: 'request', method: 'POST', url: stockUrl, keep: { left: '/left' } },
    { id: 'size', type: 'ask', text: '{{left}} left. Which size?', keep: { variable: 'size' } },
    { id: 'done', type: 'message', text: '{{colour}}, {{size}}' },
  ],
});

/**
 * Clients answer the questions of a pushed scenario, while the program is killed again and again. Checks that each
 * gets every text in order, and only texts in flight again. Checks that no answer is lost or counts twice.
 */
export async function talkThroughCrashes(lifetime: Lifetime, { chats, crashes, lapse }: Plan) {
  const { home, supervisor, partner } = await startSupervised(lifetime);
  const { messenger } = partner;
  const stock = await startMessenger(lifetime);
  stock.behave((delivery, response) =>
    setTimeout(() => answerWith(200, {}, '{"left": 7}')(delivery, response), Math.random() * callMs),
  );
  const recipients = await home.within(async (context) => {
    const file = Buffer.from(JSON.stringify(scenarioWith(stock.url)));
    await importScenario(context, { projectId: partner.projectId, file });
    return addRecipients(context.sql, partner, chats);
  });

  const answering: Promise<void>[] = [];
  messenger.behave((delivery, response) => {
    slowProvider(delivery, response);
    answering.push(answer(supervisor, partner, delivery));
  });
  const pushing = postAll(chats, messenger, (number) => push(supervisor, partner, recipients[number]));

  const messages = chats * 4;
  const [inFlight, asking] = [inFlightCount(), inFlightCount()];
  for (let crash = 0; crash < crashes; crash += 1) {
    const heard = messenger.deliveries.length;
    const share = Math.max(0, messages - heard) / (crashes - crash + 1);
    await messenger.received(heard + Math.floor(share * Math.random()));
    // A step that is interrupted too often is given up. Each program therefore lives long enough for one step.
    await pause((1 + Math.random()) * 3 * callMs);
    const { exitCode, complaints } = await supervisor.restart('SIGKILL', () =>
      home.look(async (sql) => {
        inFlight.add(await claims(sql));
        asking.add(
          await sql<{ id: string; lease: string }[]>`
            select id, lease from scenario_runs where lease is not null`,
        );
        if (lapse) await lapseClaims(sql);
      }),
    );
    assert.equal(exitCode, null);
    assert.deepEqual(complaints, []);
  }
  const pushes = await pushing;
  await home.look((sql) =>
    until(async () => {
      const [row] = await sql<{ left: number }[]>`
        select (
          (select count(*) from scenario_runs where status = 'running')
          + (select count(*) from messages where state in ('PENDING', 'IN_PROCESS'))
        ) as left`;
      return row?.left === 0;
    }),
  );
  await Promise.all(answering);
  const broken = await home.look(
    (sql) => sql`
    select chats.external_id as name, status, reason, state, attempts from scenario_runs
    join chats on chats.project_id = scenario_runs.project_id and chats.id = chat_id
    where status <> 'ended' or reason <> ''`,
  );
  assert.deepEqual([...broken], []);

  const rows = await home.look(
    (sql) => sql<{ id: string; chat: string; state: string; text: string; direction: string }[]>`
      select id, chat_id as chat, state, direction, coalesce(rendered, content) ->> 'text' as text
      from messages order by created_at, id`,
  );
  const said = rows.filter(({ direction }) => direction === 'out');
  const byChat = Map.groupBy(rows, ({ chat }) => chat);
  const heardInChat = Map.groupBy(messenger.deliveries, ({ body }): string => body.payload.chat.uuid);
  for (const recipient of recipients) {
    const ofChat = byChat.get(recipient.chat) ?? [];
    const texts = (wanted: string) =>
      ofChat.filter(({ direction }) => direction === wanted).map(({ text }) => text);
    assert.deepEqual(texts('out').sort(), told(recipient).sort());
    assert.deepEqual(texts('in').sort(), [`colour of ${recipient.name}`, `size of ${recipient.name}`]);
    const heardTexts = (heardInChat.get(recipient.chat) ?? []).map(({ body }) => body.payload.message.text);
    assert.deepEqual([...new Set(heardTexts)], told(recipient));
  }
  assert.deepEqual([...new Set(said.map(({ state }) => state))], ['SENT']);
  for (const uuid of pushes) assert.ok(said.some(({ id }) => id === uuid));
  const repeats = checkHeard(said, heardBy(messenger.deliveries), inFlight.of);

  const requests = Map.groupBy(stock.deliveries, ({ headers }) => `${headers['idempotency-key']}`);
  assert.equal(requests.size, chats);
  for (const [key, made] of requests) {
    // The key is the run's id and the request's number.
    assert.ok(made.length <= 1 + asking.of(key.slice(0, 36)), `${key} was repeated, and was not under way`);
  }
  return {
    chats,
    messages: said.length,
    repeats,
    inFlight: inFlight.total(),
    requestsRepeated: stock.deliveries.length - chats,
    runsCutShort: asking.total(),
  };
}

async function push(
  { call }: Supervisor,
  { key }: Partner,
  recipient: Recipient | undefined,
): Promise<string> {
  assert.ok(recipient);
  const { name, chat } = recipient;
  const content = { type: 'NODE', node: { name: 'Order' }, get_params: { who: name } };
  const { status, body } = await call('POST', '/api/partners/push-messages/', {
    headers: { ...key, 'idempotency-key': name },
    body: { chat: { uuid: chat }, content },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
}

/** Answers like a client's app: again until the answer is accepted, under the same id. */
async function answer({ call }: Supervisor, { channel }: Partner, { body }: Delivery): Promise<void> {
  const { message, chat } = body.payload;
  const asked = /Which (\w+)\?$/.exec(message.text)?.[1];
  if (asked === undefined) return;
  await pause(Math.random() * callMs);
  const { status } = await call('POST', `/channels/${channel.id}/messages/`, {
    headers: { authorization: `Bearer ${channel.secret}` },
    body: {
      chat: { external_id: chat.external_id },
      message: {
        external_id: `answer to ${message.uuid}`,
        type: 'text',
        text: `${asked} of ${chat.external_id}`,
      },
    },
  });
  assert.equal(status, 200);
}
