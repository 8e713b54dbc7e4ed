import { useSyncExternalStore } from 'react';

/** A value that anything on the page may look at and change. */
export type Held<Value> = {
  get(): Value;
  set(value: Value): void;
  subscribe(onChange: () => void): () => void;
};

/** Lasts as long as the page. */
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
 * Outlives a reload where the browser allows it. `read` makes a value of what was stored, which anybody may have
 * changed; of nothing it makes the first value.
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

/** A browser that forbids storage in a frame throws at the very mention of it. */
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
    // It then lasts as long as the page.
  }
}
