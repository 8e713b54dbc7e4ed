import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { middle } from './accept.ts';
import { addChats } from './fill.ts';
import { create } from './mailing.ts';
import { openStorage, type Program, type Receiver, type Storage, startProgram } from './processes.ts';
import { type Scene, setScene } from './scene.ts';

const lookEveryMs = 20;
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
  const program = await startProgram(storage);
  const scene = await setScene(program, receiver.url);
  const database = await openStorage(storage);
  await addChats(database.longSql, scene, count);
  await importScenario(program, scene);
  const rate = async (content: object, messages: number): Promise<number> => {
    await receiver.reset();
    await create(program, scene, { ...content, filter_chats: { all: [] } });
    let sent = await receiver.report();
    while (sent.calls < messages) {
      await pause(lookEveryMs);
      sent = await receiver.report();
    }
    return messages / ((sent.last - sent.first) / 1000);
  };
  const figures: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await rate({}, count);
    const ours = await rate({ text: undefined, node_name: 'Bench' }, 2 * count);
    figures.push({ ours, bare });
  }
  await database.close();
  await program.stop();
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
