import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** An answer whose bytes are our own: no call is made for it. */
export type StoredAnswer = {
  headers: Record<string, string>;
  /** Null if the bytes are gone, which is a 404. */
  open(): Promise<Readable | null>;
};

type Handler = Dispatcher.DispatchHandler;

/** Gives a stored answer as a server would, so that the same limits hold for it. */
export const dispatcherOver = (stored: StoredAnswer): Pick<Dispatcher, 'dispatch'> => ({
  dispatch(_, handler) {
    stored.open().then(
      (body) => begin(stored, body, handler),
      (error) => handler.onResponseError?.(controllerOf(null), error),
    );
    return true;
  },
});

function begin({ headers }: StoredAnswer, body: Readable | null, handler: Handler): void {
  const controller = controllerOf(body);
  body?.on('error', (error) => handler.onResponseError?.(controller, error));
  try {
    handler.onRequestStart?.(controller, {});
  } catch (error) {
    // The call was given up meanwhile.
    controller.abort(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  handler.onResponseStart?.(controller, body ? 200 : 404, body ? headers : {});
  body?.on('data', (chunk: Buffer) => handler.onResponseData?.(controller, chunk));
  body?.on('end', () => handler.onResponseEnd?.(controller, {}));
  if (!body) handler.onResponseEnd?.(controller, {});
}

function controllerOf(body: Readable | null): Dispatcher.DispatchController {
  let reason: Error | null = null;
  return {
    get aborted() {
      return reason !== null;
    },
    get paused() {
      return body?.isPaused() ?? false;
    },
    get reason() {
      return reason;
    },
    abort(why) {
      reason ??= why;
      body?.destroy(why);
    },
    pause: () => void body?.pause(),
    resume: () => void body?.resume(),
  };
}
