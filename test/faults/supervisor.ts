import type { Call, Lifetime } from '../harness.ts';
import { type Environment, type Program, startProgram } from './program.ts';

/** Keeps one program running, as an init system would. */
export type Supervisor = {
  /** Makes a request, and makes it again of the next program where one has ended without an answer. */
  call: Call;
  /** Requests that had to be made again. */
  brokenRequests(): number;
  /** Ends the program, does what is to be done in between, and starts the next. */
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
