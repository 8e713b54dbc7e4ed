import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { moduleAt } from '../module-at.ts';
import { createProgress, type Progress, watchProgress } from './progress.ts';

export type WorkerData = {
  directory: string;
  socketPath: string;
  /** The thread refuses writes while less is left on the disk. */
  reservedBytes: number;
  progress: Progress;
};

export type WorkerMessage =
  | { kind: 'ready' }
  /** PostgreSQL has written a line to its log. */
  | { kind: 'line'; line: string }
  | { kind: 'disk'; leftBytes: number }
  /** The thread has received the request to end. */
  | { kind: 'closing' }
  | { kind: 'death'; reason: string };

/** The thread of an embedded database, which serves its socket. */
export type EmbeddedThread = {
  /** Resolves with the reason when the thread has ended. */
  ended: Promise<string>;
  /** Ends the thread in order, or terminates it when it does not react or takes too long. */
  stop(): Promise<void>;
};

/** The first start makes the database. A start after a crash replays its WAL. */
const startPatienceMs = 120_000;
const hearPatienceMs = 3_000;
const stopPatienceMs = 15_000;

/** Resolves when the thread serves. Rejects when it ends before. */
export async function startThread(
  given: Omit<WorkerData, 'progress'>,
  log: Logger,
  signal: AbortSignal,
): Promise<EmbeddedThread> {
  rmSync(given.socketPath, { force: true });
  const progress = createProgress();
  const workerData: WorkerData = { ...given, progress };
  const worker = new Worker(moduleAt('./embedded-worker', import.meta), { workerData });
  const { started, heard, ended, end } = follow(worker, log, given.reservedBytes);
  const stopWatch = watchProgress(progress, (limitMs) => end(`a statement did not end in ${limitMs} ms`));
  const tooLate = setTimeout(end, startPatienceMs, 'it did not start in time').unref();
  const giveUp = () => end('it was asked to stop');
  signal.addEventListener('abort', giveUp);
  const failed = ended.then((why) => {
    stopWatch();
    throw new Error(`the database in ${given.directory} does not start: ${why}`);
  });
  try {
    await Promise.race([started, failed]);
  } finally {
    clearTimeout(tooLate);
    signal.removeEventListener('abort', giveUp);
    failed.catch(() => {});
  }
  worker.unref();
  return {
    ended,
    async stop() {
      worker.ref();
      worker.postMessage('close');
      const isHeard = await inTime(Promise.race([heard, ended]), hearPatienceMs);
      if (isHeard) await inTime(ended, stopPatienceMs);
      await worker.terminate();
    },
  };
}

/** Follows the thread's messages until it ends. */
function follow(worker: Worker, log: Logger, reservedBytes: number) {
  const started = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  let reason = 'it ended by itself';
  const lastLines: string[] = [];
  const end = (why: string): void => {
    reason = why;
    void worker.terminate();
  };

  worker.on('message', (message: WorkerMessage) => {
    switch (message.kind) {
      case 'ready':
        return started.resolve();
      case 'line':
        lastLines.splice(0, lastLines.length - 3);
        lastLines.push(message.line);
        return logLine(log, message.line);
      case 'disk':
        return logDisk(log, message.leftBytes, reservedBytes);
      case 'closing':
        return heard.resolve();
      case 'death':
        reason = message.reason;
        return;
      default:
        return message satisfies never;
    }
  });
  worker.on('error', (error) => {
    reason = error.message;
  });
  worker.on('exit', () => ended.resolve([reason, ...lastLines].join(' ')));
  return { started: started.promise, heard: heard.promise, ended: ended.promise, end };
}

const inTime = (done: Promise<unknown>, patienceMs: number): Promise<boolean> =>
  Promise.race([done.then(() => true), delay(patienceMs, false, { ref: false })]);

function logLine(log: Logger, line: string): void {
  const level = /\b(PANIC|FATAL): |^Aborted/.test(line) ? 'error' : 'info';
  log[level]({ line }, 'the embedded database has logged');
}

function logDisk(log: Logger, leftBytes: number, reservedBytes: number): void {
  const room = { leftMb: megabytes(leftBytes), neededMb: megabytes(reservedBytes) };
  if (leftBytes < reservedBytes)
    log.error(room, 'the disk is almost full: nothing is written until there is room');
  else log.warn(room, 'the disk has room again: writing goes on');
}

const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20);
