import { type DestinationStream, type Logger, pino } from 'pino';
import { printableJson } from './one-line.ts';
import { currentIds } from './work.ts';

/**
 * A log in which errors say what failed and where, without the data involved. Each line has the ids of the request and
 * of the trace that it is part of.
 */
export const createLog = (level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    serializers: { err: loggable },
    mixin: currentIds,
    hooks: { streamWrite: printableJson },
  };
  return destination ? pino(options, destination) : pino(options);
};

/** The parts of an error that may be logged. Its other properties are left out: a database error carries its row. */
export function loggable(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...(cause instanceof Error && { cause: loggable(cause) }),
  };
}
