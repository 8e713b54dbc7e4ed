import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { createLog } from '../../src/platform/log.ts';

/** The program's own log, kept to be read afterwards. */
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
