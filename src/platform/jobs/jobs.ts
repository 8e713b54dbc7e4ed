import type { Context } from '../context.ts';
import { errorText } from '../error-text.ts';
import { beginRun, endRun, type JobRow, lastRuns } from './store.ts';

/** Periodic work of the whole installation. Two runs at once do no harm: a run may outlast its period. */
export type Job = {
  name: string;
  everyMs: number;
  /** A run that may take minutes ends when the signal is aborted. */
  run(context: Context, signal: AbortSignal): Promise<unknown>;
};

/** How often a process looks for due jobs. */
const lookMs = 60_000;

/** Runs each job in one process a period. A job that fails or hangs delays no other job. */
export function startJobs(context: Context, jobs: readonly Job[]): { stop(): Promise<void> } {
  const rounds = new Set<Promise<void>>();
  const stopping = new AbortController();
  const look = (): void => {
    const round = runDueJobs(context, jobs, stopping.signal)
      .catch((error: unknown) => context.log.warn({ err: error }, 'no job could be looked for'))
      .finally(() => rounds.delete(round));
    rounds.add(round);
  };
  look();
  const timer = setInterval(look, lookMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(rounds);
    },
  };
}

export async function runDueJobs(
  context: Context,
  jobs: readonly Job[],
  signal = new AbortController().signal,
): Promise<void> {
  const runs = new Map((await lastRuns(context.sql)).map((row) => [row.name, row]));
  const now = context.clock.now();
  await Promise.all(
    jobs.map(async (job) => {
      const last = runs.get(job.name) ?? null;
      if (isDue(job, last, now)) await run(context, { job, last, now, signal });
    }),
  );
}

/** A run in the future was begun before the clock was set back. */
function isDue({ everyMs }: Job, last: JobRow | null, now: Date): boolean {
  if (!last) return true;
  const ago = now.getTime() - last.began_at.getTime();
  return ago < 0 || ago >= everyMs;
}

type Run = { job: Job; last: JobRow | null; now: Date; signal: AbortSignal };

async function run(context: Context, { job, last, now, signal }: Run): Promise<void> {
  const { sql, clock, log } = context;
  const { name } = job;
  try {
    if (!(await beginRun(sql, name, last, now))) return;
    const error = await job.run(context, signal).then(() => null, errorText);
    if (error !== null) log.warn({ job: name, error }, 'a job failed');
    await endRun(sql, name, clock.now(), error);
  } catch (error) {
    log.warn({ err: error, job: name }, 'a job could not be recorded');
  }
}
