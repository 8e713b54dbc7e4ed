import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { makeDatabase } from './data-directory.ts';
import { createGateway, type Execute } from './gateway.ts';
import { startupMessage } from './wire.ts';

/** The embedded database's thread: opens the data folder, serves it on a socket, and closes it when told to. */
const { directory, socketPath }: { directory: string; socketPath: string } = workerData;

if (!existsSync(directory)) await makeDatabase(directory);

// PostgreSQL's default of 128 MB would be touched and kept; the kernel's page cache stands behind this one anyway.
const settings = ['shared_buffers=32MB', 'wal_buffers=1MB', 'max_connections=10'];

const complaints: string[] = [];
const database = await PGlite.create(directory, {
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])],
  onStderr: (line) => complaints.push(line) < 0,
}).catch((cause) => {
  throw new Error(`the database in ${directory} does not start: ${complaints.join(' ')}`, { cause });
});

// NodeFS writes through to the kernel: once a statement is answered, its WAL survives the death of this process.
const execute: Execute = (messages, onAnswer) =>
  database.execProtocolRawStream(messages, { syncToFs: false, onRawData: onAnswer });

const gateway = createGateway(execute, await greeting());
await gateway.listen(socketPath);
parentPort?.once('message', async () => {
  await gateway.close();
  await database.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');

async function greeting(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await execute(startupMessage('postgres', 'postgres'), (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}
