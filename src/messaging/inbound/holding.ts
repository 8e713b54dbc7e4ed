import type { Connections } from '../../channels/connected/connections.ts';
import type { Context } from '../../platform/context.ts';
import { createHeldChannels } from './held-channels.ts';
import { holdChannel } from './hold-channel.ts';
import { createWorks } from './works.ts';

export type Holding = {
  /** Looks at once for channels to hold. Resolves after the look. */
  wake(): Promise<void>;
  /** Ends polls and connections at once, waits until their events are stored, and releases the channels. */
  stop(): Promise<void>;
};

/**
 * A channel is held for three times as long: a process may miss two looks. The work of a dead or frozen process is
 * taken over within the sum. With ten seconds to connect, that is the promised half minute.
 */
const lookEveryMs = 5_000;

/** The process that holds a channel's cursor polls it, connects it, and asks its provider for receipts. */
export function startHolding(context: Context, connections: Connections): Holding {
  const { log } = context;
  const holder = context.newId();
  const channels = createHeldChannels(context, holder);
  const works = createWorks({
    work: ({ channel, cursor }, signal) =>
      holdChannel(channel, { context, connections, cursor, holder, signal }),
    // Its settings have changed: the work restarts at once.
    onEnded: () => void wake(),
  });
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
      works.keep(await channels.hold());
    } catch (error) {
      log.warn({ err: error }, 'holding: could not look for channels');
      if (channels.haveLapsed()) works.abort();
    }
    if (!stopping) timer = setTimeout(wake, lookEveryMs);
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(timer);
    forget();
    await looked;
    works.abort();
    await works.ended();
    await channels.letGo().catch((error: unknown) => {
      log.warn({ err: error }, 'holding: others take over only when our lease has ended');
    });
  }

  const forget = context.wake.subscribe('channels', wake);
  void wake();
  return { wake, stop };
}
