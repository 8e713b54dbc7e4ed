import type { Call, Lifetime } from '../harness.ts';
import { type Environment, type Program, startProgram } from './program.ts';

/** Keeps one program running, as an init system would. */
export type Supervisor = {
  /** The running program; while there is none, the next one. */
  current(): Promise<Program>;
  call: Call;
  /** Ends the program, does what is to be done in between, and starts the next. Resolves with the exit code. */
  restart(signal: 'SIGKILL' | 'SIGTERM', between: () => Promise<void>): Promise<number | null>;
};

export async function supervise(lifetime: Lifetime, environment: Environment): Promise<Supervisor> {
  let running = Promise.resolve(await startProgram(lifetime, environment));
  return {
    current: () => running,
    call: async (...request) => (await running).call(...request),
    async restart(signal, between) {
      const last = await running;
      const next = Promise.withResolvers<Program>();
      running = next.promise;
      const code = await last.end(signal);
      await between();
      next.resolve(startProgram(lifetime, environment));
      await running;
      return code;
    },
  };
}
