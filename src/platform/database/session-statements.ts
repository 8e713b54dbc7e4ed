import { type Framer, sync, type Touch } from './wire.ts';

/** What a client brings into the session that it shares with others. */
export type Guest = {
  framer: Framer;
  /** Sets the session as the client has left it, or as its startup message asks. Empty for the program's own. */
  settings: string;
};

/** Runs messages of our own and gives their whole answer. */
export type Run = (messages: Buffer) => Promise<Buffer>;

/** Begins the names of the program's own prepared statements, which stay when others leave. */
export const ownPrefix = 'patchbay ';

/** The statements that are prepared in the session: everybody's named ones, and the unnamed one. */
export function createPrepared(run: Run) {
  const prepared = new Set<string>();
  let unnamedOf: Guest | undefined;

  /** Makes again what a client has prepared and the session has lost. What fails now fails when it is used. */
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

  /** Notes what a client's messages have done. */
  function note(guest: Guest, touches: Touch[]): void {
    for (const { how, name } of touches) {
      if (name === '') unnamedOf = how === 'closes' ? undefined : guest;
      else if (how === 'closes') prepared.delete(name);
      else if (how === 'makes') prepared.add(name);
    }
  }

  /** Forgets what other programs have prepared. So many of the program's own statements are still there. */
  function keepOwn(count: number): void {
    for (const name of prepared) if (!name.startsWith(ownPrefix)) prepared.delete(name);
    // Somebody has deallocated what was not theirs.
    if (count < prepared.size) prepared.clear();
  }

  function forgetUnnamed(): void {
    unnamedOf = undefined;
  }

  return { prepare, note, keepOwn, forgetUnnamed };
}
