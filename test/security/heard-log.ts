import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { createLog } from '../../src/platform/log.ts';

/** A log that collects its lines for the test. */
export function heardLog(level: string): { log: Logger; lines: () => string } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLog(level, stream), lines: () => lines.join('') };
}
