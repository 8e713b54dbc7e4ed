import type { Command } from 'commander';

/** By then everything under way has ended or been given up; whoever told us to stop would kill us soon. */
const stopPatienceMs = 25_000;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service until it is told to stop')
    .action(async () => {
      const { loadConfig } = await import('../config.ts');
      const { createDemo } = await import('../demo/create-demo.ts');
      const { describeDemo } = await import('../demo/describe-demo.ts');
      const { startService } = await import('../service.ts');
      const stopping = askedToStop();
      const service = await startService(loadConfig());
      try {
        const demo = await createDemo(service.context);
        if (demo) process.stdout.write(describeDemo(demo, service.context.config));
        await stopping;
      } finally {
        setTimeout(() => {
          service.context.log.fatal('not everything has ended in time');
          process.exit(1);
        }, stopPatienceMs).unref();
        await service.stop();
      }
    });
}

/** The listeners stay: npm passes on the signal that a terminal has sent to us already, and the second must not cut the draining short. */
function askedToStop(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop());
  });
}
