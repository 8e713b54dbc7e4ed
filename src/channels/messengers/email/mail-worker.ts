import { parentPort, workerData } from 'node:worker_threads';
import { eventsOf, type Received } from './receive.ts';
import type { Settings } from './settings.ts';

/** A thread that reads one mail, reports its events, and ends. Null for a mail that cannot be read. */
const { received, settings }: { received: Received; settings: Settings } = workerData;
const source = Buffer.from(received.source);
parentPort?.postMessage(await eventsOf({ ...received, source }, settings).catch(() => null));
