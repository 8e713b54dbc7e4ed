import { type Channel, type ClosedChannel, listChannels } from '../../channels/connected/channels.ts';
import type { Connections } from '../../channels/connected/connections.ts';
import { type Cursor, holdCursors, letGoOfCursors } from '../../channels/connected/cursor-store.ts';
import type { Context } from '../../platform/context.ts';
import { holdChannel, needsHolder, settingsOfWork } from './hold-channel.ts';

export type Holding = {
  /** Looks at once for channels to hold. Resolves after the look. */
  wake(): Promise<void>;
  /** Ends polls and connections at once, waits until their events are stored, and releases the channels. */
  stop(): Promise<void>;
};

/**
 * The work of a dead or frozen process is taken over within the sum of the two. With ten seconds to connect, that is the
 * promised half minute. A process may miss two looks.
 */
const lookEveryMs = 5_000;
const holdForMs = 15_000;

type Work = { settings: string; abort: AbortController; ended: Promise<void> };
type HeldChannel = { channel: Channel; cursor: Cursor };

/** The process that holds a channel's cursor polls it, connects it, and asks its provider for receipts. */
export function startHolding(context: Context, connections: Connections): Holding {
  const { sql, clock, log } = context;
  const holder = context.newId();
  const works = new Map<string, Work>();
  let toldClosed = new Set<string>();
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
      const held = await hold();
      for (const [id, { settings, abort }] of works) {
        const channel = held.get(id)?.channel;
        if (!channel || settingsOfWork(channel) !== settings) abort.abort();
      }
      for (const one of held.values()) start(one);
    } catch (error) {
      log.warn({ err: error }, 'holding: could not look for channels');
      if (clock.now() >= heldUntil) endAll();
    }
    if (!stopping) timer = setTimeout(wake, lookEveryMs);
  }

  async function hold(): Promise<Map<string, HeldChannel>> {
    const { open, closed } = await listChannels(context);
    tellClosed(closed);
    const wanted = new Map(open.filter(needsHolder).map((one) => [one.id, one]));
    if (wanted.size === 0) return new Map();
    const now = clock.now();
    const until = new Date(now.getTime() + holdForMs);
    const channels = [...wanted.values()].map(({ projectId, id }) => ({
      project_id: projectId,
      channel_id: id,
    }));
    const held = await holdCursors(sql, { holder, channels, now, until });
    heldUntil = until;
    return new Map(
      held.flatMap((cursor) => {
        const channel = wanted.get(cursor.channel_id);
        return channel ? [[channel.id, { channel, cursor }]] : [];
      }),
    );
  }

  /** Once for each channel, not at each look. */
  function tellClosed(closed: readonly ClosedChannel[]): void {
    for (const { id, error } of closed) {
      if (!toldClosed.has(id)) log.error({ err: error, channel: id }, 'holding: a channel cannot be opened');
    }
    toldClosed = new Set(closed.map(({ id }) => id));
  }

  /** Aborted work keeps its place until it has ended. The next look starts its successor. */
  function start({ channel, cursor }: HeldChannel): void {
    const { id } = channel;
    if (works.has(id)) return;
    const abort = new AbortController();
    const ended = holdChannel(channel, {
      context,
      connections,
      cursor,
      holder,
      signal: abort.signal,
    }).finally(() => {
      works.delete(id);
      // Its settings have changed: the work restarts at once.
      if (abort.signal.aborted) void wake();
    });
    works.set(id, { settings: settingsOfWork(channel), abort, ended });
  }

  function endAll(): void {
    for (const { abort } of works.values()) abort.abort();
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(timer);
    forget();
    await looked;
    endAll();
    await Promise.all([...works.values()].map(({ ended }) => ended));
    await letGoOfCursors(sql, holder, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'holding: others take over only when our lease has ended');
    });
  }

  const forget = context.wake.subscribe('channels', wake);
  void wake();
  return { wake, stop };
}
