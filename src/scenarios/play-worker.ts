import { parentPort, workerData } from 'node:worker_threads';
import { play } from './play.ts';
import type { PlayRequest, PlayResult } from './play-apart.ts';

/** Characters of JSON, far more than a person reads. */
const mostTold = 8 * 1024 * 1024;

/** A thread that plays one scenario, reports the result, and ends. */
const { scenarios, script }: PlayRequest = workerData;
const { entries, before, failures, scenario, state, now, facts } = play(scenarios, script);
const result: PlayResult = { entries, before, failures, scenario: scenario.name, state, now, facts };
parentPort?.postMessage(JSON.stringify(entries).length > mostTold ? null : result);
