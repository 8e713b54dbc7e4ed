import type { Dispatcher } from 'undici';
import { onAbort } from '../on-abort.ts';
import { smallAnswer } from './answer-room.ts';
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

/** The room for a large answer. The bytes of an answer may stay in memory `until` then. */
type Room = {
  reserve(bytes: number, given: () => void): () => void;
  until?: Promise<unknown> | undefined;
};

/** Makes one call and collects its answer. Rejects with `OutboundRefused` or `OutboundFailed`. */
export function exchange(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxResponseBytes, signal }: Limits,
  room: Room,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let giveBack: (() => void) | undefined;
    const cleanUp = (): void => {
      clearTimeout(timer);
      release?.();
    };
    const collector = new Collector(maxResponseBytes, {
      answered: (answer) => {
        cleanUp();
        if (giveBack) void Promise.resolve(room.until).finally(giveBack);
        resolve(answer);
      },
      failed: (error) => {
        cleanUp();
        giveBack?.();
        reject(error);
      },
      grows(bytes, goOn) {
        giveBack = room.reserve(bytes, goOn);
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

type Outcome = {
  answered(answer: Answer): void;
  failed(error: Error): void;
  /** The answer is large, and may have so many bytes. It is read on when there is room. */
  grows(bytes: number, goOn: () => void): void;
};

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
  #isLarge = false;

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
    const left = this.#maxBytes - this.#bytes;
    this.#bytes += chunk.length;
    if (chunk.length > left) {
      this.#chunks.push(chunk.subarray(0, left));
      this.#answer(true);
      controller.abort(new Error('read enough'));
      return;
    }
    this.#chunks.push(chunk);
    if (this.#bytes > smallAnswer && !this.#isLarge) this.#grow(controller);
  }

  #grow(controller: Dispatcher.DispatchController): void {
    this.#isLarge = true;
    let hasRoom = false;
    const named = Number(this.#headers['content-length']);
    this.#outcome.grows(named <= this.#maxBytes ? named : this.#maxBytes, () => {
      hasRoom = true;
      controller.resume();
    });
    if (!hasRoom) controller.pause();
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
