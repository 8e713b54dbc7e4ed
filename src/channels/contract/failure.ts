import { OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import type { SendResult } from './adapter.ts';
import type { SendError } from './errors.ts';

/** What a provider answered, or did not, in words for people. */
export class ForPeople extends Error {}

/** The provider refuses the channel's credentials. */
export class CredentialsRefused extends ForPeople {}

/** The words for people. Rethrows every other error: its text is for the log. */
export function wordsForPeople(error: unknown): string {
  if (error instanceof ForPeople || error instanceof OutboundFailed || error instanceof OutboundRefused) {
    return error.message;
  }
  throw error;
}

/** A refused call that sends no message. */
export const refusalOf = (text: string, { code }: SendError): Error =>
  code === 'auth' ? new CredentialsRefused(text) : new ForPeople(text);

/** A step before the call that sends a message failed. */
export class Unsent extends Error {
  readonly reason: SendError;
  constructor(reason: SendError) {
    super(reason.detail);
    this.reason = reason;
  }
}

export const failed = (error: SendError): SendResult => ({ sent: false, error });

/** The result of a message whose call had no answer, or was never made. Rethrows errors of our own. */
export const unanswered = (error: unknown): SendResult => failed(reasonOf(error));

/** The steps before the call that sends a message, such as an upload. If they fail, nothing was sent: `Unsent`. */
export async function beforehand<T>(steps: Promise<T>): Promise<T> {
  try {
    return await steps;
  } catch (error) {
    const reason = reasonOf(error);
    throw new Unsent(reason.code === 'temporary' ? { ...reason, mayHaveBeenSent: false } : reason);
  }
}

function reasonOf(error: unknown): SendError {
  if (error instanceof Unsent) return error.reason;
  if (error instanceof OutboundFailed) {
    return { code: 'temporary', mayHaveBeenSent: error.requestWritten, detail: error.message };
  }
  // Our guard refuses the address in the settings. Nothing will be sent until a person changes it.
  if (error instanceof OutboundRefused || error instanceof CredentialsRefused) {
    return { code: 'auth', detail: error.message };
  }
  throw error;
}
