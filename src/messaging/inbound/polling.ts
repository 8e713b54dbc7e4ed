import { listChannels } from '../../channels/connected/channels.ts';
import { type Cursor, holdCursors, letGoOfCursors } from '../../channels/connected/cursor-store.ts';
import type { Context } from '../../platform/context.ts';
import { isPolled, pollChannel } from './poll-channel.ts';

export type Polling = {
  /** Looks at once for channels to poll. Resolves when it has looked. */
  wake(): Promise<void>;
  /** Ends the polls under way at once, waits until what they brought is stored, and lets others take over. */
  stop(): Promise<void>;
};

/** Work of a process that died is taken over within the sum of the two. */
const lookEveryMs = 5_000;
const holdForMs = 20_000;

type Poller = { abort: AbortController; ended: Promise<void> };

/** One poller for every polled channel over all processes: whoever holds the channel's cursor polls it. */
export function startPolling(context: Context): Polling {
  const { sql, clock, log } = context;
  const holder = context.newId();
  const pollers = createPollers(context, holder);
  let heldUntil = clock.now();
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let looked = Promise.resolve();

  function wake(): Promise<void> {
    looked = looked.then(look);
    return looked;
  }

  async function look(): Promise<void> {
    if (stopping) return;
    clearTimeout(timer);
    try {
      pollers.follow(await hold());
    } catch (error) {
      log.warn({ err: error }, 'polling: could not look for channels');
      if (clock.now() >= heldUntil) pollers.endAll();
    }
    if (!stopping) timer = setTimeout(wake, lookEveryMs);
  }

  async function hold(): Promise<Map<string, Cursor>> {
    const polled = (await listChannels(context)).filter(isPolled);
    if (polled.length === 0) return new Map();
    const now = clock.now();
    const until = new Date(now.getTime() + holdForMs);
    const channels = polled.map(({ projectId, id }) => ({ project_id: projectId, channel_id: id }));
    const held = await holdCursors(sql, { holder, channels, now, until });
    heldUntil = until;
    return new Map(held.map((cursor) => [cursor.channel_id, cursor]));
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(timer);
    forget();
    await looked;
    pollers.endAll();
    await pollers.ended();
    await letGoOfCursors(sql, holder, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'polling: others take over only when our hold has ended');
    });
  }

  const forget = context.wake.subscribe('channels', wake);
  void wake();
  return { wake, stop };
}

function createPollers(context: Context, holder: string) {
  const pollers = new Map<string, Poller>();

  /** Polls what is held, and nothing else. */
  function follow(held: ReadonlyMap<string, Cursor>): void {
    for (const [id, { abort }] of pollers) if (!held.has(id)) abort.abort();
    for (const cursor of held.values()) start(cursor);
  }

  /** A poller that is ending keeps its place until it has: the next look starts its successor. */
  function start(cursor: Cursor): void {
    const id = cursor.channel_id;
    if (pollers.has(id)) return;
    const abort = new AbortController();
    const ended = pollChannel(context, holder, cursor, abort.signal).finally(() => pollers.delete(id));
    pollers.set(id, { abort, ended });
  }

  function endAll(): void {
    for (const { abort } of pollers.values()) abort.abort();
  }

  async function ended(): Promise<void> {
    await Promise.all([...pollers.values()].map((poller) => poller.ended));
  }

  return { follow, endAll, ended };
}
