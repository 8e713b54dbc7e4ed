import type { Call, Lifetime } from '../harness.ts';
import { type Environment, type Program, startProgram } from './program.ts';

/** Keeps one program running, like an init system. */
export type Supervisor = {
  /** Makes a request, and repeats it to the next program if one has ended without an answer. */
  call: Call;
  /** The number of repeated requests. */
  brokenRequests(): number;
  /** Ends the program, does the work in between, and starts the next. */
  restart(
    signal: 'SIGKILL' | 'SIGTERM',
    between: () => Promise<void>,
  ): Promise<{ exitCode: number | null; complaints: string[] }>;
};

export async function supervise(lifetime: Lifetime, environment: Environment): Promise<Supervisor> {
  let running = Promise.resolve(await startProgram(lifetime, environment));
  let brokenRequests = 0;
  return {
    async call(...request) {
      for (;;) {
        const program = await running;
        try {
          return await program.call(...request);
        } catch (error) {
          if (program === (await running)) throw error;
          brokenRequests += 1;
        }
      }
    },
    brokenRequests: () => brokenRequests,
    async restart(signal, between) {
      const last = await running;
      const next = Promise.withResolvers<Program>();
      running = next.promise;
      const exitCode = await last.end(signal);
      await between();
      next.resolve(startProgram(lifetime, environment));
      await running;
      return { exitCode, complaints: last.complaints };
    },
  };
}
