import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { addChannel } from '../../src/channels/connected/channels.ts';
import type { Answer, Lifetime, Partner } from '../harness.ts';
import { caller } from '../harness.ts';
import { addVisitors, connect } from './connections.ts';
import { claims, type Home, lapseClaims, makeHome } from './home.ts';
import { type Environment, type Program, type Start, startProgram } from './program.ts';
import { allDone, checkAccounts, inFlightCount, postAll, postMessage, slowProvider } from './traffic.ts';
import { until } from './until.ts';

export type Pressure = {
  /** What limits the memory of the program. */
  environment?: Environment;
  start?: Start;
  /** As many come and go each way. */
  messages: number;
  /** How often the program ends by itself until the flood is over. With 0 it is killed once, and never ends by itself. */
  ends: number;
  /** Callers with bodies of 15 MiB. */
  largeBodies: number;
  /** Callers with messages of 1 MiB from clients. */
  largeMessages: number;
  /** Visitors with a live connection. */
  visitors: number;
};

export const flood = { messages: 60, largeBodies: 8, largeMessages: 8, visitors: 100 };

/**
 * Floods a program whose memory is limited while messages come and go. A program that ends is started again, and one
 * is killed under the flood. Checks that each acknowledged message is there once, and was sent.
 */
export async function pressMemory(lifetime: Lifetime, pressure: Pressure) {
  const home = await makeHome(lifetime);
  const inFlight = inFlightCount();
  const kept = await keep(lifetime, home, pressure, async () =>
    home.look(async (sql) => {
      inFlight.add(await claims(sql));
      await lapseClaims(sql);
    }),
  );
  const partner = await home.addPartner(lifetime, (...given) => kept.call((call) => call(...given)));
  const { projectId, messenger } = partner;
  const { chat } = await partner.client('ann');
  messenger.behave(slowProvider);
  const widget = await home.within((context) =>
    addChannel(context, { projectId, platform: 'Widget', name: 'Shop', settings: {} }),
  );
  const sessions = await addVisitors(home, widget.id, pressure.visitors);

  const running = startFlood(kept.program, partner, pressure, { channelId: widget.id, sessions });
  const receiving = receive(kept, partner, pressure.messages);
  const posting = postAll(pressure.messages, messenger, async (number) => {
    const { status, body } = await kept.call((call) => postMessage(call, partner, chat, number));
    assert.equal(status, 201, JSON.stringify(body));
    return body.uuid;
  });
  if (pressure.ends === 0) {
    await messenger.received(Math.ceil(pressure.messages / 2));
    await kept.kill();
    await Promise.all([posting, receiving]);
  } else await until(() => kept.ends() >= pressure.ends);
  const { answers, written } = await running.stop();
  const [uuids, received] = [await posting, [...(await receiving), ...written]];
  await allDone(home);
  await checkReceived(home, partner, received);
  const accounts = await checkAccounts(home, uuids, messenger.deliveries, inFlight);
  await until(async () => (await kept.call((call) => call('GET', '/readyz'))).status === 200);
  if (pressure.ends === 0) assert.equal(kept.ends(), 0, 'the memory was full');
  return { ...accounts, received: received.length, ends: kept.ends(), told: kept.told(), answers };
}

/** Like a supervisor: starts the program again whenever it ends. `between` works on the database meanwhile. */
async function keep(
  lifetime: Lifetime,
  home: Home,
  { environment, start }: Pressure,
  between: () => Promise<void>,
) {
  const begin = () =>
    startProgram(lifetime, { ...home.environment, ...environment, PATCHBAY_DEMO: 'off' }, start);
  let current = begin();
  let isOver = false;
  let killed: Program | undefined;
  let ends = 0;
  let told = 0;
  const work = (async () => {
    while (!isOver) {
      const program = await current;
      await program.ended;
      if (isOver) return;
      if (program !== killed) ends += 1;
      if (saysWhy(program)) told += 1;
      const next = Promise.withResolvers<Program>();
      current = next.promise;
      await between();
      next.resolve(begin());
      await current;
    }
  })();
  await current;
  lifetime.after(async () => {
    isOver = true;
    await (await current).end('SIGKILL');
    await work;
  });
  return {
    /** How often a program has ended by itself, and how many of these said that its heap was full. */
    ends: () => ends,
    told: () => told,
    program: () => current,
    /** Ends the program the hard way. Resolves when the next one serves. */
    async kill(): Promise<void> {
      const program = await current;
      killed = program;
      await program.end('SIGKILL');
      await until(async () => (await current) !== program);
    },
    /** Repeats a request until it has an answer that is not "later". */
    async call(make: (call: ReturnType<typeof caller>) => Promise<Answer>): Promise<Answer> {
      for (;;) {
        const { address } = await current;
        const answer = await make(caller(address)).catch(() => null);
        if (answer && answer.status !== 429 && answer.status !== 503) return answer;
        await pause(50);
      }
    },
  };
}

const saysWhy = ({ printed }: Program): boolean =>
  printed.some((line) => /^FATAL ERROR: .*heap out of memory$/.test(line));

const megabyte = 2 ** 20;

/** A mailing to as many identifiers as one may have. It is refused when the database was asked about it. */
const largeMailing = Buffer.from(
  JSON.stringify({
    name: 'Large',
    node_name: 'There is no such scenario',
    customer_filter_field: 'EXTERNAL_ID',
    customer_filter_array: Array.from({ length: 100_000 }, (_, n) => `${n}`.padStart(140, '0')),
  }),
);
const padding = 'x'.repeat(megabyte - 4_096);

type Visitors = { channelId: string; sessions: string[] };

function startFlood(
  program: () => Promise<Program>,
  partner: Partner,
  { largeBodies, largeMessages }: Pressure,
  { channelId, sessions }: Visitors,
) {
  const answers: Record<string, number> = {};
  const written: string[] = [];
  let isOver = false;
  const repeat = async (step: () => Promise<void>): Promise<void> => {
    while (!isOver) {
      await step();
      await pause(10);
    }
  };
  const count = (what: string): void => {
    answers[what] = (answers[what] ?? 0) + 1;
  };
  const mail = async (): Promise<void> => {
    const { status } = await post(await program(), '/api/partners/mailings/', partner.key, largeMailing);
    count(`mailing ${status}`);
  };
  let last = 0;
  const write = async (): Promise<void> => {
    last += 1;
    const id = `large ${last}`;
    const body = Buffer.from(JSON.stringify({ ...clientMessage(id, id), padding }));
    const headers = { authorization: `Bearer ${partner.channel.secret}` };
    const { status } = await post(
      await program(),
      `/channels/${partner.channel.id}/messages/`,
      headers,
      body,
    );
    count(`message ${status}`);
    if (status === 200) written.push(id);
  };
  const listen = async (session: string): Promise<void> => {
    const { status, request: connection, closed } = await connect(await program(), channelId, session);
    count(`live ${status}`);
    if (status === 200) await Promise.race([closed, over.promise]);
    connection.destroy();
  };
  const over = Promise.withResolvers<void>();
  const work = Promise.all([
    ...Array.from({ length: largeBodies }, () => repeat(mail)),
    ...Array.from({ length: largeMessages }, () => repeat(write)),
    ...sessions.map((session) => repeat(() => listen(session))),
  ]);
  return {
    async stop() {
      isOver = true;
      over.resolve();
      await work;
      return { answers, written };
    },
  };
}

/** The status is 0 without an answer. */
const post = (
  { address }: Program,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<{ status: number }> =>
  new Promise((resolve) => {
    const call = request(
      address + path,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
      },
      (response) => {
        response.resume();
        response.on('close', () => resolve({ status: response.statusCode ?? 0 }));
      },
    );
    call.on('error', () => resolve({ status: 0 }));
    call.end(body);
  });

const clientMessage = (client: string, id: string) => ({
  chat: { external_id: client },
  message: { external_id: id, type: 'text', text: 'Hello' },
});

/** Clients write one after another. Returns the ids of the acknowledged messages. */
async function receive(
  { call }: Awaited<ReturnType<typeof keep>>,
  { channel }: Partner,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = `small ${number}`;
    const { status, body } = await call((make) =>
      make('POST', `/channels/${channel.id}/messages/`, {
        headers: { authorization: `Bearer ${channel.secret}` },
        body: clientMessage(`client ${number % 10}`, id),
      }),
    );
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(id);
  }
  return ids;
}

/** Each acknowledged message of a client is there once. */
async function checkReceived(home: Home, { channel }: Partner, ids: string[]): Promise<void> {
  const rows = await home.look(
    (sql) => sql<{ external_id: string }[]>`
      select external_id from messages where channel_id = ${channel.id} and direction = 'in'`,
  );
  const kept = new Set(rows.map(({ external_id }) => external_id));
  assert.equal(kept.size, rows.length, 'a message is there twice');
  assert.deepEqual(
    ids.filter((id) => !kept.has(id)),
    [],
  );
}
