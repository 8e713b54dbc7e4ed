import { Unreachable } from '../../shared/api.ts';
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
  /** `unreached` entries are retried when the server is back. `refused` entries wait for their author. */
  state: 'sending' | 'unreached' | 'refused';
  /** The server's reason for the refusal. */
  problem: string;
};

export type Outbox = {
  held: Held<readonly Outgoing[]>;
  add(outgoing: Omit<Outgoing, 'state' | 'problem'>): void;
  retry(id: string): void;
  discard(id: string): void;
  /** Retries all entries that did not reach the server. */
  resume(): void;
};

/** Entries of one chat are sent one after the other, in order. */
export function createOutbox(operator: string, send: (outgoing: Outgoing) => Promise<void>): Outbox {
  const held = kept(`outbox-${operator}`, readOutbox);
  const underWay = new Set<string>();

  const discard = (id: string) => held.set(held.get().filter((one) => one.id !== id));
  const change = (id: string, state: Outgoing['state'], problem = '') =>
    held.set(held.get().map((one) => (one.id === id ? { ...one, state, problem } : one)));

  async function run(chat: string): Promise<void> {
    if (underWay.has(chat)) return;
    underWay.add(chat);
    const next = () => held.get().find((one) => one.chat === chat && one.state === 'sending');
    for (let outgoing = next(); outgoing; outgoing = next()) {
      try {
        await send(outgoing);
        discard(outgoing.id);
      } catch (error) {
        if (error instanceof Unreachable) change(outgoing.id, 'unreached');
        else change(outgoing.id, 'refused', error instanceof Error ? error.message : '');
      }
    }
    underWay.delete(chat);
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
    resume() {
      for (const { id, state } of held.get()) if (state === 'unreached') retry(id);
    },
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
