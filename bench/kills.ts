import { setTimeout as pause } from 'node:timers/promises';
import { addChats, addMessages, countSent, setChannel } from './fill.ts';
import { openStorage, type Receiver, type Storage, startProgram } from './processes.ts';
import { setScene } from './scene.ts';

const messages = 40_000;
/** The program has reached its full speed after this share of the messages. */
const sentBefore = 0.4;

/** Kills the program (-9) while it sends at full speed. The next program sends the rest. */
export async function kill(storage: Storage, receiver: Receiver): Promise<{ rate: number; repeats: number }> {
  await receiver.reset();
  const { rate, scene } = await sendUntilKilled(storage, receiver);
  const next = await startProgram(storage);
  const { sql, close } = await openStorage(storage);
  while ((await countSent(sql, scene)) < messages) await pause(200);
  const { calls } = await receiver.report();
  await close();
  await next.stop();
  if (calls < messages) throw new Error(`${messages - calls} messages were lost`);
  return { rate, repeats: calls - messages };
}

async function sendUntilKilled(storage: Storage, receiver: Receiver) {
  const program = await startProgram(storage);
  const scene = await setScene(program, receiver.url);
  const { longSql: sql, close } = await openStorage(storage);
  await setChannel(sql, scene, 'paused');
  await addMessages(sql, scene, await addChats(sql, scene, messages));
  await setChannel(sql, scene, 'active');
  await close();
  while ((await receiver.report()).calls < sentBefore * messages) await pause(20);
  await program.kill();
  const { calls, first, last } = await receiver.report();
  return { rate: calls / ((last - first) / 1000), scene };
}
