import { buffer } from 'node:stream/consumers';
import { BadFile } from '../src/platform/list-files/bad-file.ts';
import { readListFile } from '../src/platform/list-files/list-file.ts';

/**
 * `node test/read-list.ts <heading> < file`: reads a list in a separate process, whose memory can be measured alone.
 * Prints the result as one line of JSON.
 */

const file = await buffer(process.stdin);
const atRest = process.memoryUsage.rss();
let peak = atRest;
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
const watch = setInterval(look, 5);
const begun = performance.now();
let lines = 0;
let refusal: string | null = null;
try {
  const wanted = { heading: process.argv[2] ?? '', orFirstColumn: true };
  for await (const batch of readListFile(file, wanted)) {
    lines += batch.length;
    look();
  }
} catch (error) {
  if (!(error instanceof BadFile)) throw error;
  refusal = error.message;
}
look();
clearInterval(watch);
const result = {
  lines,
  refusal,
  addedMiB: (peak - atRest) / 2 ** 20,
  seconds: (performance.now() - begun) / 1000,
};
process.stdout.write(JSON.stringify(result));
