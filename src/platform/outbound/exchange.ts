import type { Dispatcher } from 'undici';
import { onAbort } from '../on-abort.ts';
import { type FailureKind, OutboundFailed, toFailure } from './failure.ts';
import { OutboundRefused } from './guard.ts';

export type Answer = {
  status: number;
  /** Names in lower case. The values of a repeated header are joined by `, `. */
  headers: Record<string, string>;
  body: Buffer;
  /** Whether the body was longer than the limit. */
  truncated: boolean;
};

/** `timeoutMs` covers the time from the call to the last byte of the answer, including the wait for a connection. */
type Ends = { timeoutMs: number; signal?: AbortSignal } | { timeoutMs?: undefined; signal: AbortSignal };

export type Limits = Ends & {
  /** The rest of a longer body is not read. */
  maxResponseBytes: number;
};

/** Makes one call and collects its answer. Rejects with `OutboundRefused` or `OutboundFailed`. */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxResponseBytes, signal }: Limits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cleanUp = (): void => {
      clearTimeout(timer);
      release?.();
    };
    const collector = new Collector(maxResponseBytes, {
      answered: (answer) => {
        cleanUp();
        resolve(answer);
      },
      failed: (error) => {
        cleanUp();
        reject(error);
      },
    });
    const abort = (): void => collector.giveUp(isDeadline(signal?.reason) ? 'timeout' : 'aborted');
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => collector.giveUp('timeout'), timeoutMs);
    const release = signal && onAbort(signal, abort);
    if (signal?.aborted) return abort();
    dispatcher.dispatch(request, collector);
  });
}

/** The reason of an `AbortSignal.timeout`. */
const isDeadline = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

type Outcome = { answered(answer: Answer): void; failed(error: Error): void };

/**
 * Follows one request through the client. The client calls `onRequestStart` in the turn in which it writes the
 * request. From there on the peer may have received it.
 */
class Collector implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #outcome: Outcome;
  #settled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, outcome: Outcome) {
    this.#maxBytes = maxBytes;
    this.#outcome = outcome;
  }

  giveUp(kind: FailureKind): void {
    this.#fail(new OutboundFailed(kind, this.#controller !== null));
    this.#controller?.abort(new Error(kind));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The call was given up while it waited for a connection. The error removes it from the client's queue unwritten.
    if (this.#settled) throw new Error('given up');
    this.#controller = controller;
  }

  /** Runs once for each 1xx, and last for the final answer. */
  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#maxBytes - this.#bytes;
    this.#bytes += chunk.length;
    if (chunk.length <= room) {
      this.#chunks.push(chunk);
      return;
    }
    this.#chunks.push(chunk.subarray(0, room));
    this.#answer(true);
    controller.abort(new Error('read enough'));
  }

  onResponseEnd(): void {
    this.#answer(false);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error instanceof OutboundRefused ? error : toFailure(error, this.#controller !== null));
  }

  #answer(truncated: boolean): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#outcome.answered({
      status: this.#status,
      headers: flatten(this.#headers),
      body: Buffer.concat(this.#chunks),
      truncated,
    });
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#outcome.failed(error);
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
