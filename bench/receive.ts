import { accepted, middle, startBareServer } from './accept.ts';
import { load } from './load.ts';
import { type Program, type Receiver, type Storage, startProgram } from './processes.ts';
import { firstMessage, type Scene, setScene } from './scene.ts';

const connections = 64;
const seconds = 4;
const rounds = 3;
const clients = 1_000;

/** Clients' messages received per second, and pushes that a bare server accepts, in turns on the same database. */
export async function receive(storage: Storage, receiver: Receiver): Promise<{ ours: number; bare: number }> {
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
    figures.push({ bare: await plain(), ours: await received(program, scene, next) });
  }
  await bare.stop();
  await program.stop();
  return middle(figures, ({ ours, bare: other }) => ours / other);
}

const textOf = (number: number): string =>
  JSON.stringify({
    chat: { external_id: `client-${number % clients}`, name: 'Ann' },
    message: { external_id: `message-${number}`, type: 'text', text: `Where is my order ${number}?` },
  });

async function received(program: Program, scene: Scene, body: () => string): Promise<number> {
  const { perSecond, refused } = await load({
    url: program.url,
    path: `/channels/${scene.channel}/messages/`,
    headers: { authorization: `Bearer ${scene.secret}` },
    body,
    connections,
    seconds,
  });
  if (refused > 0) throw new Error(`${refused} messages were refused`);
  return perSecond;
}
