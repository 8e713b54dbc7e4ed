import { AsyncLocalStorage } from 'node:async_hooks';

/** What the running code is a part of. Its log lines carry these ids. */
export type Work = {
  requestId?: string;
  /** The current span, as in the header `traceparent`. */
  trace?: string | null;
  /** Who takes turns with others for connections to the database. Absent: the program itself. */
  owner?: string;
};

const storage = new AsyncLocalStorage<Work | undefined>();

/** Runs a part of the running work, which has these ids beside or instead of its own. */
export const within = <Result>(work: Work, run: () => Result): Result =>
  storage.run({ ...storage.getStore(), ...work }, run);

/** Runs what serves many at once, such as a shared statement or a worker. It is no part of the work that asked. */
export const outside = <Result>(run: () => Result): Result => storage.run(undefined, run);

/** For rows and events: they continue the trace of the running work. Null when there is none. */
export const currentTrace = (): string | null => storage.getStore()?.trace ?? null;

export const currentOwner = (): string => storage.getStore()?.owner ?? '';

/** The ids of the running work, for log lines. */
export function currentIds(): { requestId?: string; traceId?: string; spanId?: string } {
  const work = storage.getStore();
  if (!work) return {};
  const { requestId, trace } = work;
  return { ...(requestId !== undefined && { requestId }), ...(trace && idsIn(trace)) };
}

function idsIn(trace: string): { traceId?: string; spanId?: string } {
  const [, traceId, spanId] = trace.split('-');
  return { traceId, spanId };
}
