import { Unreachable } from '../../shared/unreachable.ts';
import { type Held, kept } from '../kept.ts';

/**
 * Entries that the operator sent and the server has not confirmed. Each keeps its id, so a retry is never a second
 * message.
 */
export type Outgoing = {
  id: string;
  chat: string;
  type: 'text' | 'image' | 'document' | 'note';
  text: string;
  attachment: { uuid: string; url: string; name: string } | null;
  at: string;
  /** `unreached` entries are retried by themselves. `refused` entries wait for their author. */
  state: 'sending' | 'unreached' | 'refused';
  /** The server's reason for the refusal. */
  problem: string;
};

export type Outbox = {
  held: Held<readonly Outgoing[]>;
  add(outgoing: Omit<Outgoing, 'state' | 'problem'>): void;
  retry(id: string): void;
  discard(id: string): void;
  /** Retries all entries that did not reach the server: it is back. */
  resume(): void;
};

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/**
 * Entries of one chat are sent one after the other, in order. Those behind an entry that did not reach the server wait
 * for it.
 */
export function createOutbox(operator: string, send: (outgoing: Outgoing) => Promise<void>): Outbox {
  const held = kept(`outbox-${operator}`, readOutbox);
  const underWay = new Set<string>();

  const discard = (id: string) => held.set(held.get().filter((one) => one.id !== id));
  const change = (id: string, state: Outgoing['state'], problem = '') =>
    held.set(held.get().map((one) => (one.id === id ? { ...one, state, problem } : one)));

  let pauseMs = firstPauseMs;
  let isPausing = false;

  async function run(chat: string): Promise<void> {
    if (underWay.has(chat)) return;
    underWay.add(chat);
    const next = () => held.get().find((one) => one.chat === chat && one.state !== 'refused');
    for (let outgoing = next(); outgoing && (await reaches(outgoing)); outgoing = next());
    underWay.delete(chat);
  }

  /** Sends an entry. Returns whether it reached the server. */
  async function reaches(outgoing: Outgoing): Promise<boolean> {
    try {
      await send(outgoing);
      discard(outgoing.id);
    } catch (error) {
      if (error instanceof Unreachable) {
        change(outgoing.id, 'unreached');
        resumeLater();
        return false;
      }
      change(outgoing.id, 'refused', error instanceof Error ? error.message : '');
    }
    pauseMs = firstPauseMs;
    return true;
  }

  function resume(): void {
    for (const chat of new Set(held.get().map((one) => one.chat))) void run(chat);
  }

  /** The live connection may have survived what the entry did not. It then never reports that the server is back. */
  function resumeLater(): void {
    if (isPausing) return;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      resume();
    }, pauseMs);
  }

  function retry(id: string): void {
    change(id, 'sending');
    const chat = held.get().find((one) => one.id === id)?.chat;
    if (chat !== undefined) void run(chat);
  }

  return {
    held,
    discard,
    retry,
    add(outgoing) {
      held.set([...held.get(), { ...outgoing, state: 'sending', problem: '' }]);
      void run(outgoing.chat);
    },
    resume,
  };
}

/** It is unknown whether entries in flight arrived when the page was left. They are sent again with their ids. */
function readOutbox(stored: unknown): Outgoing[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .filter(isOutgoing)
    .map((one) => (one.state === 'sending' ? { ...one, state: 'unreached' } : one));
}

const isOutgoing = (value: unknown): value is Outgoing =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'chat', 'type', 'text', 'at', 'state', 'problem'].every(
    (name) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === 'string',
  );
