import type { HeldChannel } from './held-channels.ts';
import { settingsOfWork } from './hold-channel.ts';

/** The work on the channels that this process holds. */
export type Works = {
  /** Begins the work on these channels, and ends that on others and on those whose settings have changed. */
  keep(held: ReadonlyMap<string, HeldChannel>): void;
  /** Ends all work at once. */
  abort(): void;
  /** Resolves when all work has ended. */
  ended(): Promise<void>;
};

type Work = { settings: string; abort: AbortController; ended: Promise<void> };

type Options = {
  /** Works on a channel until the signal. Never rejects. */
  work(held: HeldChannel, signal: AbortSignal): Promise<void>;
  /** Work that was ended is over. */
  onEnded(): void;
};

export function createWorks({ work, onEnded }: Options): Works {
  const works = new Map<string, Work>();

  /** Aborted work keeps its place until it has ended. The next call of `keep` starts its successor. */
  function start(held: HeldChannel): void {
    const { id } = held.channel;
    if (works.has(id)) return;
    const abort = new AbortController();
    const ended = work(held, abort.signal).finally(() => {
      works.delete(id);
      if (abort.signal.aborted) onEnded();
    });
    works.set(id, { settings: settingsOfWork(held.channel), abort, ended });
  }

  return {
    keep(held) {
      for (const [id, { settings, abort }] of works) {
        const channel = held.get(id)?.channel;
        if (!channel || settingsOfWork(channel) !== settings) abort.abort();
      }
      for (const one of held.values()) start(one);
    },
    abort() {
      for (const { abort } of works.values()) abort.abort();
    },
    async ended() {
      await Promise.all([...works.values()].map(({ ended }) => ended));
    },
  };
}
