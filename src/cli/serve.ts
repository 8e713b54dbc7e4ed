import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';

/** By then everything under way has ended or been given up; whoever told us to stop would kill us soon. */
const stopPatienceMs = 25_000;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service until a stop signal')
    .action(async () => {
      const { loadConfig } = await import('../platform/config.ts');
      const { startService } = await import('../service.ts');
      const stopping = askedToStop();
      const service = await Promise.race([startService(loadConfig()), stopping]);
      // A start can wait for a database as long as that stays away, and leaves nothing that must be put in order.
      if (!service) process.exit(0);
      try {
        await offerDemo(service.context);
        await stopping;
      } finally {
        await service.stop();
      }
    });
}

/** A database that is away, or takes no writes at present, has none: that is no reason not to serve. */
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

/** Ends the process in any case when the time is over, even one that has not started yet. The listeners stay: npm passes on the signal that a terminal has sent to us already, and the second must not cut the draining short. */
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
