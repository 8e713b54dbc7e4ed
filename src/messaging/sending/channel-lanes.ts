import { openChannel } from '../../channels/connected/channels.ts';
import type { Connections } from '../../channels/connected/connections.ts';
import { findChannelsById } from '../../channels/connected/store.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { batched } from '../../platform/pump/batch.ts';
import type { Bounds } from '../../platform/pump/concurrency.ts';
import { laneName } from '../../platform/pump/suspects.ts';
import { type ClaimedMessage, claimMessages } from './claim.ts';
import { type Asked, giveBack } from './claim-store.ts';
import { taskWriter } from './prepare.ts';
import type { Task } from './task.ts';

/** Each channel has a lane, and its suspects another one. */
export type ChannelLanes = {
  /** Leases up to `free` due messages of a lane, as tasks. */
  claim(lane: string, free: number): Promise<Task[]>;
  /** The number of concurrent calls of a channel. */
  places(channelId: string): Bounds;
  /** False if another process holds the connection through which the channel sends. */
  mayServe(channelId: string): boolean;
};

/** Renewed during longer calls. When it lapses, another worker takes over a dead worker's messages. */
export const leaseMs = 5_000;
/** For one channel. More if its provider is slow, up to the adapter's limit. */
const leastConcurrency = 96;
/** The channels whose messages one statement claims. A statement costs more than the few messages of one channel. */
const claimedAtOnce = 32;
const claimsAtOnce = 2;

export function createChannelLanes(context: Context, connections: Connections): ChannelLanes {
  const { sql, clock } = context;
  const concurrency = new Map<string, number>();
  const heldElsewhere = new Set<string>();
  const prepare = taskWriter(context);

  const channelOf = batched((ids: string[]) => findChannelsById(sql, ids), { max: claimedAtOnce });
  const claimOf = batched(
    async (asked: Asked[]) => {
      const ofChannels = Map.groupBy(await claimNow(asked, false), ({ channel_id }) => channel_id);
      return asked.map(({ channelId }) => ofChannels.get(channelId) ?? []);
    },
    { max: claimedAtOnce, concurrency: claimsAtOnce },
  );

  function claimNow(asked: Asked[], areSuspects: boolean): Promise<ClaimedMessage[]> {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    return claimMessages(sql, asked, { areSuspects, lease: context.newId(), now, leaseUntil });
  }

  return {
    async claim(lane, free) {
      const { key: channelId, areSuspects } = laneName(lane);
      // The channel is read before the claim: a failure afterwards would leave a claim without a worker.
      const row = await channelOf(channelId);
      if (!row) throw new Error('The channel is gone.');
      const channel = openChannel(row, context.vault);
      const adapter = adapterFor(channel.platform);
      concurrency.set(channelId, adapter.limits.concurrency);
      if (!adapter.send && !connections.has(channelId)) {
        heldElsewhere.add(channelId);
        return [];
      }
      const asked = { channelId, free };
      const messages = await (areSuspects ? claimNow([asked], true) : claimOf(asked));
      return await prepare(messages, channel, adapter).catch(async (error: unknown) => {
        await giveBack(sql, messages);
        throw error;
      });
    },
    places(channelId) {
      const most = concurrency.get(channelId) ?? leastConcurrency;
      return { least: Math.min(leastConcurrency, most), most };
    },
    mayServe: (channelId) => !heldElsewhere.has(channelId) || connections.has(channelId),
  };
}
