import { once } from 'node:events';
import { createServer } from 'node:net';
import { addSimulated } from '../../src/cli/add-simulated.ts';
import { portOf } from '../../src/simulator/email/imap.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { createPartner, type Lifetime, startPatchbay } from '../harness.ts';

/** The whole program with a channel of every simulated messenger, and the simulator. */
export async function startScene(lifetime: Lifetime) {
  const simulator = await startSimulator({ port: 0, host: '127.0.0.1', memoryFile: null });
  lifetime.after(() => simulator.stop());
  const port = await freePort();
  const config = { port, publicUrl: `http://127.0.0.1:${port}` };
  const patchbay = await startPatchbay(lifetime, { config });
  const partner = await createPartner(lifetime, patchbay);
  const added = await addSimulated(patchbay.context, partner.projectId, simulator.address);
  const problems = added.filter(({ problem }) => problem !== null);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return { simulator, patchbay, partner, added };
}

/** Providers call the public address, which is fixed before the program listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
}

const pollMs = 10;

/** Repeats a question until it has an answer. The embedded database serves one question at a time. */
export async function found<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
