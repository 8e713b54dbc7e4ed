import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { AskPerson } from '../channels/contract/adapter.ts';

/** A person at the terminal. */
export type Person = { ask: AskPerson; say(text: string): void };

/** Writes to standard error: standard output carries the command's result. Secrets are not echoed. */
export function askingPerson(): Person & { leave(): void } {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask(question, answer) {
      process.stderr.write(`${question}: `);
      isHidden = answer === 'secret';
      const { value, done } = await answers.next();
      if (isHidden) process.stderr.write('\n');
      isHidden = false;
      if (done) throw new Error('Standard input has ended.');
      return value.trim();
    },
    say: (text) => {
      process.stderr.write(`${text}\n`);
    },
    leave: () => lines.close(),
  };
}
