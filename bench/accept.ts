import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { load } from './load.ts';
import { freePort, healthy, type Receiver, type Storage, startProgram } from './processes.ts';
import { firstMessage, setScene } from './scene.ts';

const connections = 64;
const seconds = 4;
const rounds = 3;
const path = '/api/partners/push-messages/';

/** POST push-messages a second, ours and a bare server's, on the same database in turns. */
export async function accept(storage: Storage, receiver: Receiver): Promise<{ ours: number; bare: number }> {
  const program = await startProgram(storage, 'api');
  const scene = await setScene(program, receiver.url);
  const chat = await firstMessage(program, scene, 'ann');
  const body = JSON.stringify({
    chat: { uuid: chat },
    content: { type: 'TEXT', text: 'Your order has been shipped.' },
  });
  const measure = async (url: string): Promise<number> => {
    const { perSecond, refused } = await load({ url, path, headers: scene.key, body, connections, seconds });
    if (refused > 0) throw new Error(`${refused} requests were refused`);
    return perSecond;
  };

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

/** The round whose ratio is the median. */
export function middle<Figure>(figures: Figure[], ratio: (figure: Figure) => number): Figure {
  const sorted = figures.toSorted((a, b) => ratio(a) - ratio(b));
  const found = sorted[sorted.length >> 1];
  if (!found) throw new Error('nothing was measured');
  return found;
}

async function startBareServer(storage: Storage) {
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
