import { OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import type { SendResult } from './adapter.ts';
import type { SendError } from './errors.ts';

/** The provider refuses the channel's credentials. The text is for people. */
export class CredentialsRefused extends Error {}

/** A refused call that sends no message. The text is for people. */
export const refusalOf = (text: string, { code }: SendError): Error =>
  code === 'auth' ? new CredentialsRefused(text) : new Error(text);

/** The result of a call without an answer. Rethrows errors that are no outbound failure. */
export function unanswered(error: unknown): SendResult {
  if (error instanceof OutboundFailed) {
    return {
      sent: false,
      error: { code: 'temporary', mayHaveBeenSent: error.requestWritten, detail: error.message },
    };
  }
  // Our guard refuses the address in the settings. Nothing will be sent until a person changes it.
  if (error instanceof OutboundRefused || error instanceof CredentialsRefused) {
    return { sent: false, error: { code: 'auth', detail: error.message } };
  }
  throw error;
}
