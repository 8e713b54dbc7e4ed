import type { Command } from 'commander';
import { printable, printableJson } from '../platform/one-line.ts';
import type { Tools } from './tools.ts';

/** The result of a command: once for programs, once for people. */
export type Report = {
  json: object;
  text: string;
  /** Further facts for a person. They go to standard error. */
  notes?: string[];
};

/** An action that works on the installation and reports its result. Commander makes the command its `this`. */
export function reporting<Args extends unknown[]>(work: (tools: Tools, ...args: Args) => Promise<Report>) {
  return async function (this: Command, ...args: Args): Promise<void> {
    const { withTools } = await import('./tools.ts');
    await withTools(async (tools) => print(this, await work(tools, ...args)));
  };
}

export function print(command: Command, { json, text, notes = [] }: Report): void {
  for (const note of notes) process.stderr.write(`Note: ${printable(note)}\n`);
  const output =
    command.optsWithGlobals().json === true ? printableJson(JSON.stringify(json)) : printable(text);
  process.stdout.write(`${output}\n`);
}

/** What a long command is at goes to standard error: standard output belongs to its answer. */
export const tellProgress = (progress: string): void => void process.stderr.write(`${progress}\n`);

/** A sentence with its values below, in two columns. */
export function listing(sentence: string, values: Record<string, string>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  const lines = Object.entries(values).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return [sentence, ...lines].join('\n');
}
