import { type Framer, sync, type Touch } from './wire.ts';

/** The part of a client that the shared session needs. */
export type Guest = {
  framer: Framer;
  /**
   * SQL that sets the session as the client left it, or as its startup message asks. Empty for the program's own
   * clients.
   */
  settings: string;
};

/** Runs messages of our own and returns their whole answer. */
export type Run = (messages: Buffer) => Promise<Buffer>;

/** Begins the names of the program's own prepared statements, which stay when other clients leave. */
export const ownPrefix = 'patchbay ';

/** The prepared statements of the session: the named ones of all clients, and the unnamed one. */
export function createPrepared(run: Run) {
  const prepared = new Set<string>();
  let unnamedOf: Guest | undefined;

  /**
   * Prepares a client's statements again that the session has lost. A statement that fails here fails when it is
   * used.
   */
  async function prepare(guest: Guest, touches: Touch[]): Promise<void> {
    const missing = new Set<string>();
    const made = new Set<string>();
    for (const { how, name } of touches) {
      const isThere = name === '' ? unnamedOf === guest : prepared.has(name);
      if (how === 'uses' && !made.has(name) && !isThere) missing.add(name);
      else if (how === 'makes') made.add(name);
    }
    for (const name of missing) {
      const making = guest.framer.statements.get(name);
      if (!making) continue;
      await run(Buffer.concat([making, sync]));
      note(guest, [{ how: 'makes', name }]);
    }
  }

  /** Notes the effects of a client's messages. */
  function note(guest: Guest, touches: Touch[]): void {
    for (const { how, name } of touches) {
      if (name === '') unnamedOf = how === 'closes' ? undefined : guest;
      else if (how === 'closes') prepared.delete(name);
      else if (how === 'makes') prepared.add(name);
    }
  }

  /** Drops the statements of other programs. `count` of the program's own are still there. */
  function keepOwn(count: number): void {
    for (const name of prepared) if (!name.startsWith(ownPrefix)) prepared.delete(name);
    // A client has deallocated statements of other clients.
    if (count < prepared.size) prepared.clear();
  }

  function forgetUnnamed(): void {
    unnamedOf = undefined;
  }

  return { prepare, note, keepOwn, forgetUnnamed };
}
