/**
 * Everything that can go wrong with a message on its way out. Adapters translate a provider's words into one of
 * these; `src/messaging/sending` decides by the code alone what becomes of the message.
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
  /** Nothing was sent; the provider said when to come back. */
  rate_limited: { state: 'retry', text: 'The channel asked to slow down.' },
  /** The provider or the way to it failed; whether it heard us is in `mayHaveBeenSent`. */
  temporary: { state: 'retry', text: 'The channel is temporarily unavailable.' },
  /** The channel's own credential was refused: the channel pauses, visibly. */
  auth: { state: 'ERROR', text: 'The channel refused its credentials.' },
  /** The channel cannot do what it was asked to: our fault, not the client's. */
  unsupported: { state: 'ERROR', text: 'This channel cannot carry this kind of message.' },
} as const;

export type SendErrorCode = keyof typeof sendErrors;

export type SendError =
  | { code: Exclude<SendErrorCode, 'rate_limited' | 'temporary'>; detail?: string }
  /** `scope` where the provider says what it is about; a channel unless told otherwise. */
  | { code: 'rate_limited'; retryAfterMs: number; scope?: 'chat' | 'channel'; detail?: string }
  | { code: 'temporary'; mayHaveBeenSent: boolean; retryAfterMs?: number; detail?: string };
