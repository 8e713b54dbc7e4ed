import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { outside } from '../work.ts';
import type { Database } from './database.ts';
import { listen } from './listen.ts';

/** Tells workers of every process that rows of a topic are due, so that the workers need not poll. */
export type Wake = {
  /** Never fails. If a wake-up is lost, the slow poll behind it finds the rows. */
  wake(topic: string): void;
  /** Returns the function that ends the subscription. A listener is also called when wake-ups may have been missed. */
  subscribe(topic: string, listener: () => void): () => void;
  /** Passes a short text to those who hear the topic, in every process. It is not stored, and may be lost. */
  tell(topic: string, text: string): void;
  /** Returns the function that ends it. */
  hear(topic: string, listener: (text: string) => void): () => void;
  close(): Promise<void>;
};

const channel = 'patchbay_wake';
/** A topic is announced to the other processes at most once in this time. */
const pauseMs = 5;
/** While this process cannot hear the others, it polls. */
const deafLookMs = 250;

/** Wakes this process at once. With a server database it wakes the others through NOTIFY. */
export async function createWake(database: Database, log: Logger): Promise<Wake> {
  const local = localWake();
  return database.kind === 'embedded' ? local : await sharedWake(local, database, log);
}

type LocalWake = Wake & { wakeAll(): void };

function localWake(): LocalWake {
  const listeners = new EventEmitter().setMaxListeners(0);
  const hearers = new EventEmitter().setMaxListeners(0);
  return {
    tell: (topic, text) => void outside(() => hearers.emit(topic, text)),
    hear(topic, listener) {
      hearers.on(topic, listener);
      return () => void hearers.off(topic, listener);
    },
    // The woken worker serves everybody, and not only the request that woke it.
    wake: (topic) => void outside(() => listeners.emit(topic)),
    wakeAll() {
      for (const topic of listeners.eventNames()) listeners.emit(topic);
    },
    subscribe(topic, listener) {
      listeners.on(topic, listener);
      return () => void listeners.off(topic, listener);
    },
    async close() {
      listeners.removeAllListeners();
      hearers.removeAllListeners();
    },
  };
}

async function sharedWake(local: LocalWake, { sql, listenAddress }: Database, log: Logger): Promise<Wake> {
  const self = randomUUID();
  const notify = (topic: string, ...text: string[]): void => {
    sql`select pg_notify(${channel}, ${[topic, self, ...text].join(' ')})`.catch((err) => {
      log.warn({ err, topic }, 'other processes could not be woken');
    });
  };
  const announce = pacedByTopic(notify);
  const listener = await listen(listenAddress, channel, {
    onMessage(payload) {
      const [topic = '', sender, ...text] = payload.split(' ');
      if (sender === self) return;
      if (text.length === 0) return local.wake(topic);
      try {
        local.tell(topic, text.join(' '));
      } catch (err) {
        log.warn({ err, topic }, 'a text of another version could not be read');
      }
    },
    onListening: () => local.wakeAll(),
    log,
  });
  const deafLook = setInterval(() => {
    if (!listener.isListening()) local.wakeAll();
  }, deafLookMs).unref();
  return {
    ...local,
    wake(topic) {
      local.wake(topic);
      announce(topic);
    },
    tell(topic, text) {
      local.tell(topic, text);
      notify(topic, text);
    },
    async close() {
      await local.close();
      clearInterval(deafLook);
      await listener.stop();
    },
  };
}

/** Runs the action for a topic at once, and again after `pauseMs` if it was requested meanwhile. */
function pacedByTopic(action: (topic: string) => void): (topic: string) => void {
  const asked = new Map<string, boolean>();
  return function run(topic) {
    if (asked.has(topic)) {
      asked.set(topic, true);
      return;
    }
    action(topic);
    asked.set(topic, false);
    setTimeout(() => {
      const again = asked.get(topic);
      asked.delete(topic);
      if (again) run(topic);
    }, pauseMs);
  };
}
