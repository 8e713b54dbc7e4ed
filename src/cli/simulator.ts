import type { Command } from 'commander';
import { reporting } from './report.ts';
import { readPort, usualSimulatorPort } from './simulator-port.ts';

export function addSimulatorCommands(program: Command): void {
  const simulator = program
    .command('simulator')
    .description('play all messengers on this machine, with a page of phones, until a stop signal')
    .option('--port <port>', 'the port of the simulator; three more follow it', readPort, usualSimulatorPort)
    .action(async ({ port }: { port: number }) => {
      const { runSimulator } = await import('./run-simulator.ts');
      await runSimulator(port);
    });
  simulator
    .command('add')
    .description('add a channel of every messenger that the running simulator plays')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, { project }: { project: string }, command: Command) => {
        const { addSimulatedByCommand } = await import('./add-simulated.ts');
        return addSimulatedByCommand(tools, project, command.optsWithGlobals().port);
      }),
    );
}
