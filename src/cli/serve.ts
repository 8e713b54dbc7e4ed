import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { readPort, usualSimulatorPort } from './simulator-port.ts';

/** By then all running work has ended or been given up. The supervisor that stops us would soon kill us. */
const stopPatienceMs = 25_000;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service until a stop signal')
    .option(
      '--simulator [port]',
      `also run the simulator of messengers, and connect it to the demo project; default port: ${usualSimulatorPort}`,
      readPort,
    )
    .action(async ({ simulator: port }: { simulator?: number | true }) => {
      const { loadConfig } = await import('../platform/config.ts');
      const { startService } = await import('../service.ts');
      const stopping = askedToStop();
      const simulator =
        port === undefined ? null : await startedBeside(port === true ? usualSimulatorPort : port);
      const config = simulator?.allowedIn(loadConfig()) ?? loadConfig();
      const service = await Promise.race([startService(config), stopping]);
      // A start may wait without end for an absent database, and leaves nothing to tidy up.
      if (!service) process.exit(0);
      try {
        await offerDemo(service.context);
        await simulator?.connectDemo(service.context);
        await stopping;
      } finally {
        simulator?.stop();
        await service.stop();
      }
    });
}

const startedBeside = async (port: number) =>
  (await import('./beside-simulator.ts')).startBesideSimulator(port);

/** An absent or read-only database gets no demo. The service runs nevertheless. */
async function offerDemo(context: Context): Promise<void> {
  const { createDemo } = await import('../demo/create-demo.ts');
  const { describeDemo } = await import('../demo/describe-demo.ts');
  const { isDatabaseUnavailable } = await import('../platform/database/unavailable.ts');
  try {
    const demo = await createDemo(context);
    if (demo) process.stdout.write(describeDemo(demo, context.config));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    context.log.warn({ err: error }, 'the demo could not be looked for');
  }
}

/**
 * Resolves at the first signal, and ends the process after the time limit even if it has not started yet. The
 * listeners stay: npm forwards a signal that the terminal has already sent to us. The second signal must not cut the
 * draining short.
 */
function askedToStop(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      process.on(signal, () => {
        setTimeout(endLate, stopPatienceMs).unref();
        stop();
      });
    }
  });
}

function endLate(): void {
  process.stderr.write(
    `The shutdown did not finish in ${stopPatienceMs / 1000} s; remaining work is abandoned.\n`,
  );
  process.exit(1);
}
