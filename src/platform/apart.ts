import { Worker } from 'node:worker_threads';

export type Bounds = { ms: number; memoryMb: number };

/** The thread had no result within its bounds. */
export class Overrun extends Error {
  readonly bound: keyof Bounds;
  constructor(bound: keyof Bounds) {
    super(`A thread has exceeded its bound: ${bound}.`);
    this.bound = bound;
  }
}

/**
 * The message of a module that runs in a thread of its own. It is for work whose cost a stranger's input decides: the
 * service serves others meanwhile. The bounds are those of the thread alone. Throws `Overrun`.
 */
export async function apart<Result>(
  module: URL,
  workerData: unknown,
  { ms, memoryMb }: Bounds,
): Promise<Result> {
  const worker = new Worker(module, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  });
  const result = Promise.withResolvers<Result>();
  worker.once('message', (message: Result) => result.resolve(message));
  worker.once('error', (error) => result.reject(isOutOfMemory(error) ? new Overrun('memoryMb') : error));
  const late = setTimeout(() => result.reject(new Overrun('ms')), ms);
  try {
    return await result.promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
