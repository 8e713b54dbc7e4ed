import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { middle } from './accept.ts';
import { setChannel } from './fill.ts';
import { calledTimes, create, setMailingScene } from './mailing.ts';
import type { Program, Receiver, Storage } from './processes.ts';
import type { Scene } from './scene.ts';

const rounds = 3;

/**
 * Messages per second of a mailing to `count` chats whose scenario sends two messages, from the first call to the
 * provider to the last. `bare` is the rate of a mailing of text to the same chats. Both are planned meanwhile.
 */
export async function scenarios(
  storage: Storage,
  receiver: Receiver,
  count: number,
): Promise<{ ours: number; bare: number }> {
  const { program, scene, sql, end } = await setMailingScene(storage, receiver, count);
  await setChannel(sql, scene, 'active');
  await importScenario(program, scene);
  const rate = async (content: object, messages: number): Promise<number> => {
    await receiver.reset();
    await create(program, scene, { ...content, filter_chats: { all: [] } });
    const { first, last } = await calledTimes(receiver, messages);
    return messages / ((last - first) / 1000);
  };
  const figures: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await rate({}, count);
    const ours = await rate({ text: undefined, node_name: 'Bench' }, 2 * count);
    figures.push({ ours, bare });
  }
  await end();
  return middle(figures, ({ ours, bare }) => ours / bare);
}

async function importScenario(program: Program, { project }: Scene): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-'));
  const file = join(folder, 'bench.json');
  const message = { type: 'message', text: 'Your order has been shipped.' };
  writeFileSync(file, JSON.stringify({ name: 'Bench', steps: ['a', 'b'].map((id) => ({ id, ...message })) }));
  await program.command('scenario', 'import', file, '--project', project);
  rmSync(folder, { recursive: true });
}
