import { OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import type { SendResult } from './adapter.ts';

/** The provider does not take the channel's credentials. The text is for people. */
export class CredentialsRefused extends Error {}

/** What a call that brought no answer means for its message. What is not an outbound failure is thrown on. */
export function unanswered(error: unknown): SendResult {
  if (error instanceof OutboundFailed) {
    return {
      sent: false,
      error: { code: 'temporary', mayHaveBeenSent: error.requestWritten, detail: error.message },
    };
  }
  // The address in the settings may not be called: nothing will go out until a person has changed it.
  if (error instanceof OutboundRefused || error instanceof CredentialsRefused) {
    return { sent: false, error: { code: 'auth', detail: error.message } };
  }
  throw error;
}
