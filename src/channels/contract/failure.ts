import { OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import type { SendResult } from './adapter.ts';

/** The provider refuses the channel's credentials. The text is for people. */
export class CredentialsRefused extends Error {}

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
