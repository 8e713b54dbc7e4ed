/**
 * All reasons why a message is not sent. Adapters translate a provider's answer into one of these.
 * `src/messaging/sending` decides by the code alone.
 */
export const sendErrors = {
  blocked: { state: 'UNDELIVERED', text: 'The client has blocked messages or stopped the conversation.' },
  invalid_recipient: { state: 'UNDELIVERED', text: 'The channel knows no such recipient.' },
  window_closed: {
    state: 'UNDELIVERED',
    text: 'The channel does not allow a message so long after the client wrote.',
  },
  not_opted_in: { state: 'UNDELIVERED', text: 'The client has not agreed to receive messages.' },
  bad_content: { state: 'UNDELIVERED', text: 'The channel refused this content.' },
  /** Nothing was sent, and the provider said when to retry. */
  rate_limited: { state: 'retry', text: 'The channel asked to slow down.' },
  /**
   * The provider or the connection to it failed. `mayHaveBeenSent` says whether the provider may have received the
   * call.
   */
  temporary: { state: 'retry', text: 'The channel is temporarily unavailable.' },
  /** The channel's own credentials were refused: the channel pauses, visibly. */
  auth: { state: 'ERROR', text: 'The channel refused its credentials.' },
  /** The channel does not support this: our error, not the client's. */
  unsupported: { state: 'ERROR', text: 'This channel cannot carry this kind of message.' },
} as const;

export type SendErrorCode = keyof typeof sendErrors;

export type SendError =
  | { code: Exclude<SendErrorCode, 'rate_limited' | 'temporary'>; detail?: string }
  /** `scope` if the provider says what it applies to. The default is the channel. */
  | { code: 'rate_limited'; retryAfterMs: number; scope?: 'chat' | 'channel'; detail?: string }
  | { code: 'temporary'; mayHaveBeenSent: boolean; retryAfterMs?: number; detail?: string };
