import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { load } from './load.ts';
import { healthy, type Receiver, type Storage, startProgram } from './processes.ts';
import { firstMessage, type Scene, setScene } from './scene.ts';

const connections = 64;
const seconds = 4;
const rounds = 3;
const path = '/api/partners/push-messages/';

/** POST push-messages per second, ours and a bare server's, in turns on the same database. */
export async function accept(storage: Storage, receiver: Receiver): Promise<{ ours: number; bare: number }> {
  const program = await startProgram(storage, 'api');
  const scene = await setScene(program, receiver.url);
  const chat = await firstMessage(program, scene, 'ann');
  const measure = (url: string): Promise<number> => accepted(url, scene, chat, connections);

  const bare = await startBareServer(storage);
  const figures: { ours: number; bare: number }[] = [];
  await measure(program.url);
  await measure(bare.url);
  for (let round = 0; round < rounds; round += 1) {
    figures.push({ bare: await measure(bare.url), ours: await measure(program.url) });
  }
  await bare.stop();
  await program.stop();
  return middle(figures, ({ ours, bare: other }) => ours / other);
}

/**
 * POST push-messages per second of three processes on one server, and of one, in turns, with the same number of
 * concurrent requests.
 */
export async function acceptTogether(
  storage: Storage,
  receiver: Receiver,
): Promise<{ ours: number; bare: number }> {
  const first = await startProgram(storage, 'api');
  const programs = [first, await startProgram(storage, 'api'), await startProgram(storage, 'api')];
  const scene = await setScene(first, receiver.url);
  const chat = await firstMessage(first, scene, 'ann');
  const alone = () => accepted(first.url, scene, chat, connections);
  const together = async (): Promise<number> => {
    const share = Math.floor(connections / programs.length);
    const rates = await Promise.all(programs.map(({ url }) => accepted(url, scene, chat, share)));
    return rates.reduce((sum, rate) => sum + rate, 0);
  };

  const figures: { ours: number; bare: number }[] = [];
  await alone();
  await together();
  for (let round = 0; round < rounds; round += 1) {
    figures.push({ bare: await alone(), ours: await together() });
  }
  for (const program of programs) await program.stop();
  return middle(figures, ({ ours, bare }) => ours / bare);
}

export async function accepted(url: string, scene: Scene, chat: string, atOnce: number): Promise<number> {
  const content = { type: 'TEXT', text: 'Your order has been shipped.' };
  const body = JSON.stringify({ chat: { uuid: chat }, content });
  const { perSecond, refused } = await load({
    url,
    path,
    headers: scene.key,
    body,
    connections: atOnce,
    seconds,
  });
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  return perSecond;
}

/** The round with the median ratio. */
export function middle<Figure>(figures: Figure[], ratio: (figure: Figure) => number): Figure {
  const sorted = figures.toSorted((a, b) => ratio(a) - ratio(b));
  const found = sorted[sorted.length >> 1];
  if (!found) throw new Error('nothing was measured');
  return found;
}

export async function startBareServer(storage: Storage) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts')], {
    env: { ...process.env, ...storage.environment, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await healthy(url, child);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
