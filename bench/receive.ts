import { accepted, middle, startBareServer } from './accept.ts';
import { type Load, load } from './load.ts';
import { openStorage, type Program, type Receiver, type Storage, startProgram } from './processes.ts';
import { firstMessage, type Scene, setScene } from './scene.ts';

const connections = 64;
const seconds = 4;
const longSeconds = 10;
const rounds = 3;
const clients = 1_000;

/** Ten seconds without a pause. `p99`: of our answers, in ms. `lost`: accepted messages that are not stored. */
export type LongReceiving = { perSecond: number; p99: number; lost: number };

/** Clients' messages received per second, and pushes that a bare server accepts, in turns on the same database. */
export async function receive(
  storage: Storage,
  receiver: Receiver,
): Promise<{ ours: number; bare: number; long: LongReceiving }> {
  const program = await startProgram(storage, 'api');
  const scene = await setScene(program, receiver.url);
  const chat = await firstMessage(program, scene, 'ann');
  const bare = await startBareServer(storage);
  const plain = (): Promise<number> => accepted(bare.url, scene, chat, connections);

  const figures: { ours: number; bare: number }[] = [];
  let sent = 0;
  const next = (): string => {
    sent += 1;
    return textOf(sent);
  };
  await received(program, scene, next);
  await plain();
  for (let round = 0; round < rounds; round += 1) {
    figures.push({ bare: await plain(), ours: (await received(program, scene, next)).perSecond });
  }
  const before = await stored(storage);
  const { answers, perSecond, p99 } = await received(program, scene, next, longSeconds);
  const lost = answers - ((await stored(storage)) - before);
  await bare.stop();
  await program.stop();
  return { ...middle(figures, ({ ours, bare: other }) => ours / other), long: { perSecond, p99, lost } };
}

const textOf = (number: number): string =>
  JSON.stringify({
    chat: { external_id: `client-${number % clients}`, name: 'Ann' },
    message: { external_id: `message-${number}`, type: 'text', text: `Where is my order ${number}?` },
  });

async function received(
  program: Program,
  scene: Scene,
  body: () => string,
  forSeconds = seconds,
): Promise<Load> {
  const done = await load({
    url: program.url,
    path: `/channels/${scene.channel}/messages/`,
    headers: { authorization: `Bearer ${scene.secret}` },
    body,
    connections,
    seconds: forSeconds,
  });
  if (done.refused > 0) throw new Error(`${done.refused} messages were refused`);
  return done;
}

async function stored(storage: Storage): Promise<number> {
  const { sql, close } = await openStorage(storage);
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from messages where direction = 'in'`;
  await close();
  return count;
}
