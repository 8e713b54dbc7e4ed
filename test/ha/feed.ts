import { setTimeout as pause } from 'node:timers/promises';
import { connectLive } from '../live-chats.ts';

export type Feed = {
  /** The time at which each message first arrived. */
  heard: ReadonlyMap<string, number>;
  /** The number of reconnects that could not resume. */
  gaps(): number;
  stop(): Promise<void>;
};

const againMs = 500;

/** An operator's page. It reconnects when its connection ends, and requests the news that it missed. */
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
