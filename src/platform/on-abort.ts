/**
 * Many calls share one deadline, and a signal compares each new listener with all others. So each signal gets one
 * listener, which calls the rest.
 */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back when the signal aborts. Returns the function that ends this. An aborted signal calls back never. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = callbacksOf.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksOf.set(signal, callbacks);
  signal.addEventListener('abort', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}
