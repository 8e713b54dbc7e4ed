import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../platform/config.ts';
import { errorText } from '../platform/error-text.ts';
import { Refused } from '../platform/problem.ts';
import { type Simulator, startSimulator } from '../simulator/simulator.ts';
import { isUnlistenable } from './problems.ts';
import { placesOf, usualSimulatorPort } from './simulator-port.ts';

export async function runSimulator(port: number): Promise<void> {
  const { dataDir } = loadConfig();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const stopping = askedToStop();
  const simulator = await openSimulator(port, join(dataDir, 'simulator.json'));
  process.stdout.write(describe(simulator.address, port));
  await stopping;
  await simulator.stop();
  if (process.connected) process.disconnect();
}

/** Throws `Refused` if a port is not free. */
export async function openSimulator(port: number, memoryFile: string | null): Promise<Simulator> {
  try {
    return await startSimulator({ port, host: '127.0.0.1', memoryFile });
  } catch (error) {
    if (!isUnlistenable(error)) throw error;
    throw new Refused(
      `The simulator listens on ${placesOf(port).join(', ')}: ${errorText(error)}. Choose another --port.`,
    );
  }
}

/** A simulator that a service has started ends with it. */
const askedToStop = (): Promise<void> =>
  new Promise((stop) => {
    for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => stop());
  });

const describe = (address: string, port: number): string => `
The simulator plays all messengers. Its page of phones: ${address}/

Let the server call it. In the environment or the .env file of Patchbay:

  PATCHBAY_ALLOW_OUTBOUND=${placesOf(port).join(',')}

Then add a channel of every messenger to a project, beside the running server:

  npm run -s patchbay -- simulator add --project <uuid>${port === usualSimulatorPort ? '' : ` --port ${port}`}

`;
