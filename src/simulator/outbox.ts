/** Messages that a provider has accepted. Without a listener they are kept, as tests need them. */
export type Outbox<Message> = {
  sent: Message[];
  add(message: Message): void;
  /** Every later message goes to the listener only. */
  listen(listener: (message: Message) => void): void;
};

export function createOutbox<Message>(): Outbox<Message> {
  const sent: Message[] = [];
  let tell = (message: Message): void => void sent.push(message);
  return {
    sent,
    add: (message) => tell(message),
    listen: (listener) => {
      tell = listener;
    },
  };
}

/** The latest entries of a Map, so that a provider may run for days. */
export function keepLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most = 1_000): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}

/** The same for a list. */
export function pushLatest<Value>(list: Value[], value: Value, most: number): void {
  list.push(value);
  if (list.length > most) list.shift();
}

/** Counts up from the last number of a place. */
export function counterFrom({ lastNumber = 0 }: { lastNumber?: number }): () => number {
  let last = lastNumber;
  return () => {
    last += 1;
    return last;
  };
}
