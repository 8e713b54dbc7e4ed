import { useSyncExternalStore } from 'react';

/** An observable value. */
export type Held<Value> = {
  get(): Value;
  set(value: Value): void;
  subscribe(onChange: () => void): () => void;
};

/** A value that lives as long as the page. */
export function held<Value>(first: Value): Held<Value> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(changed) {
      value = changed;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * A value that survives a reload if the browser allows storage. `read` parses the stored value, which can be
 * anything. Without a stored value it returns the initial one.
 */
export function kept<Value>(name: string, read: (stored: unknown) => Value): Held<Value> {
  const key = `patchbay-${name}`;
  const value = held(read(stored(key)));
  return {
    ...value,
    set(changed) {
      store(key, changed);
      value.set(changed);
    },
  };
}

export const useHeld = <Value>({ subscribe, get }: Held<Value>): Value =>
  useSyncExternalStore(subscribe, get);

/** In a frame, some browsers throw on any access to storage. */
function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the value lives as long as the page.
  }
}
