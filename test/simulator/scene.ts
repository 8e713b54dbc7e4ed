import { addSimulated } from '../../src/cli/add-simulated.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { freePort } from '../free-port.ts';
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

const pollMs = 10;

/** Repeats a question until it has an answer. The embedded database serves one question at a time. */
export async function found<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
