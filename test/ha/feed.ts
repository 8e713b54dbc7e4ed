import { setTimeout as pause } from 'node:timers/promises';
import { connectLive } from '../live-chats.ts';

export type Feed = {
  /** When each message was told of for the first time. */
  heard: ReadonlyMap<string, number>;
  /** How often it could not go on where it had ended. */
  gaps(): number;
  stop(): Promise<void>;
};

const againMs = 500;

/** An operator's page: it comes back when its connection ends, and asks for what it has missed. */
export function followFeed(address: string, headers: Record<string, string>): Feed {
  const heard = new Map<string, number>();
  const ending = new AbortController();
  const lifetime = {
    after: (cleanUp: () => Promise<void>) => ending.signal.addEventListener('abort', () => void cleanUp()),
  };
  let since: string | undefined;
  let gaps = 0;

  async function follow(): Promise<void> {
    const live = await connectLive(lifetime, address, headers, since);
    const [ready] = live.heard;
    if (since !== undefined && ready?.event === 'ready' && !ready.data.resumed) gaps += 1;
    try {
      await live.until('entry', ({ entry }) => {
        if (!heard.has(entry.uuid)) heard.set(entry.uuid, performance.now());
        return false;
      });
    } finally {
      since = live.lastId();
    }
  }
  async function followOn(): Promise<void> {
    while (!ending.signal.aborted) {
      await follow().catch(() => {});
      await pause(againMs);
    }
  }
  const following = followOn();
  return {
    heard,
    gaps: () => gaps,
    async stop() {
      ending.abort();
      await following;
    },
  };
}
