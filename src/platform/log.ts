import { type DestinationStream, type Logger, pino } from 'pino';

/** A log in which errors say what failed and where, and nothing of the data that it failed on. */
export const createLog = (level: string, destination?: DestinationStream): Logger => {
  const options = { level, serializers: { err: loggable } };
  return destination ? pino(options, destination) : pino(options);
};

/** What may be logged of an error. Its other properties stay out: a database's carry the row that it was about. */
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
