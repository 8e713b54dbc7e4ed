import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findDemo } from '../demo/store.ts';
import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { moduleAt } from '../platform/module-at.ts';
import { Refused } from '../platform/problem.ts';
import { addSimulated } from './add-simulated.ts';
import { placesOf, simulatorAt } from './simulator-port.ts';

/** The simulator beside a service, in a process of its own. */
export type BesideSimulator = {
  /** The settings with which the service may call the simulator, and nothing else that it could not call before. */
  allowedIn(config: Config): Config;
  /** Adds the simulated messengers to the demo project, if there is one. */
  connectDemo(context: Context): Promise<void>;
  stop(): void;
};

const stepMs = 100;
const patienceMs = 15_000;

/** Uses a simulator that runs already. */
export async function startBesideSimulator(port: number): Promise<BesideSimulator> {
  const address = simulatorAt(port);
  const child = (await answers(address)) ? null : await startChild(address, port);
  return {
    allowedIn: (config) => ({ ...config, allowOutbound: [...config.allowOutbound, ...placesOf(port)] }),
    async connectDemo(context) {
      const demo = await findDemo(context.sql);
      const added = demo ? await addSimulated(context, demo.project_id, address) : [];
      for (const { platform, problem } of added) {
        if (problem !== null) context.log.warn({ platform, problem }, 'a simulated messenger was not added');
      }
      process.stdout.write(describe(address, demo !== undefined));
    },
    stop: () => void child?.kill(),
  };
}

const answers = async (address: string): Promise<boolean> =>
  (await fetch(`${address}/providers`).catch(() => null))?.ok === true;

async function startChild(address: string, port: number): Promise<ChildProcess> {
  const main = fileURLToPath(moduleAt('../main', import.meta));
  const child = spawn(process.execPath, [...process.execArgv, main, 'simulator', '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  for (let waited = 0; waited < patienceMs; waited += stepMs) {
    if (await answers(address)) return child;
    await Promise.race([ended, pause(stepMs)]);
    if (child.exitCode !== null) break;
  }
  child.kill();
  throw new Refused(`The simulator did not start at ${address}.`);
}

const describe = (address: string, hasDemo: boolean): string =>
  `
The simulator plays all messengers. Its page of phones: ${address}/
${hasDemo ? 'Its channels are in the demo project.' : 'Add its channels to a project: npm run -s patchbay -- simulator add --project <uuid>'}
`;
