import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { makeDatabase } from './data-directory.ts';
import { watchDisk } from './disk.ts';
import type { WorkerData, WorkerMessage } from './embedded-thread.ts';
import { createGateway } from './gateway.ts';
import type { Execute } from './gateway-serving.ts';
import { MortalPGlite } from './pglite.ts';
import { startProgress } from './progress.ts';
import { startupMessage } from './wire.ts';

/** The thread of the embedded database. Opens the data folder, serves it on a socket, and closes it on request. */
const { directory, socketPath, reservedBytes, progress }: WorkerData = workerData;
/** A command that joined this process's database may need it for this long after the process stops. */
const commandPatienceMs = 10_000;
const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);

if (!existsSync(directory)) await makeDatabase(directory);

const settings = [
  // PostgreSQL's default of 128 MB would be touched and kept. The kernel's page cache stands behind this one anyway.
  'shared_buffers=32MB',
  'wal_buffers=1MB',
  'max_connections=10',
  // Statement errors belong to their clients, and their texts contain data.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
];

const database = new MortalPGlite(directory, {
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])],
  onStderr: (line) => {
    tell({ kind: 'line', line });
    return false;
  },
});
await database.waitReady;
database.dieBy((error) => {
  tell({ kind: 'death', reason: String(error) });
  return process.exit(1);
});

const { begin, step, end } = startProgress(progress);

// NodeFS writes through to the kernel: the WAL of an answered statement survives the death of this process.
const execute: Execute = async (messages, onAnswer, limitMs) => {
  begin(limitMs);
  await database.execProtocolRawStream(messages, {
    syncToFs: false,
    onRawData: (piece) => {
      step();
      onAnswer(piece);
    },
  });
  end();
};

const isDiskLow = watchDisk(directory, reservedBytes, (leftBytes) => tell({ kind: 'disk', leftBytes }));
const gateway = createGateway(execute, { greeting: await greeting(), isDiskLow });
await gateway.listen(socketPath);
parentPort?.once('message', async () => {
  tell({ kind: 'closing' });
  await gateway.close(commandPatienceMs);
  await database.close();
  parentPort?.close();
});
tell({ kind: 'ready' });

async function greeting(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await execute(startupMessage('postgres', 'postgres'), (piece) => pieces.push(Buffer.from(piece)), 60_000);
  return Buffer.concat(pieces);
}
