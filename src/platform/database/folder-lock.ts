import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** A lock ends when its object is collected. */
const held = new Set<DatabaseSync>();

const busy = 5;

/**
 * Locks the file `lock` of a folder, which nothing removes. Null while another process has it, on this machine or on
 * another one that shares the volume. The kernel keeps the lock, and it ends with the process. SQLite asks for it, as
 * Node itself has no function for that. Nobody else may open the file in this process: closing it would end the lock.
 * @throws when the file system has no locks
 */
export function lockFolder(folder: string): (() => void) | null {
  const file = new (sqlite().DatabaseSync)(join(folder, 'lock'));
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if (isBusy(error)) return null;
    throw new Error(`The file system of ${folder} cannot lock a file: ${String(error)}`, { cause: error });
  }
  held.add(file);
  return () => {
    if (held.delete(file)) file.close();
  };
}

/** The first releases of Node 24 warn that their SQLite is experimental. */
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === busy;
