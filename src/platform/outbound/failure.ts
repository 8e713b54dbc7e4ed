import { errors } from 'undici';

export type FailureKind = 'timeout' | 'connect' | 'reset' | 'protocol' | 'aborted';

/**
 * The call brought no answer. The message is safe for people. `requestWritten` is false only when no byte of the
 * request can have left. A repeat then cannot be a duplicate.
 */
export class OutboundFailed extends Error {
  readonly kind: FailureKind;
  readonly requestWritten: boolean;
  constructor(kind: FailureKind, requestWritten: boolean, cause?: unknown) {
    super(sentence(kind, cause), { cause });
    this.kind = kind;
    this.requestWritten = requestWritten;
  }
}

/** The meaning of an HTTP client's error, given whether the request had begun to be written. */
export function toFailure(error: unknown, requestWritten: boolean): OutboundFailed {
  return new OutboundFailed(kindOf(error, requestWritten), requestWritten, error);
}

function kindOf(error: unknown, requestWritten: boolean): FailureKind {
  const code = codeOf(error) ?? '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') return 'aborted';
  if (NOT_HTTP.has(code) || error instanceof errors.HTTPParserError) return 'protocol';
  return requestWritten ? 'reset' : 'connect';
}

const NOT_HTTP = new Set([
  'ERR_INVALID_CHAR',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

function sentence(kind: FailureKind, cause: unknown): string {
  switch (kind) {
    case 'timeout':
      return 'There was no complete answer in time.';
    case 'connect':
      return `The connection could not be made (${codeOf(cause) ?? 'unknown reason'}).`;
    case 'reset':
      return 'The connection was closed before the answer was complete.';
    case 'protocol':
      return 'The request or its answer is not valid HTTP.';
    case 'aborted':
      return 'The call was given up because the service is stopping.';
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
