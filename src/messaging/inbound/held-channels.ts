import { type Channel, type ClosedChannel, listChannels } from '../../channels/connected/channels.ts';
import { type Cursor, holdCursors, letGoOfCursors } from '../../channels/connected/cursor-store.ts';
import type { Context } from '../../platform/context.ts';
import { needsHolder } from './hold-channel.ts';

export type HeldChannel = { channel: Channel; cursor: Cursor };

/** The channels whose cursors this process holds. */
export type HeldChannels = {
  /** Takes free channels that need a holder, and keeps its own for longer. Returns all by their ids. */
  hold(): Promise<Map<string, HeldChannel>>;
  /** Whether another process may have taken them. */
  haveLapsed(): boolean;
  /** Another process may take them at once. */
  letGo(): Promise<void>;
};

const holdForMs = 15_000;

export function createHeldChannels(context: Context, holder: string): HeldChannels {
  const { sql, clock, log } = context;
  let toldClosed = new Set<string>();
  let heldUntil = clock.now();

  /** Once for each channel, not at each look. */
  function tellClosed(closed: readonly ClosedChannel[]): void {
    for (const { id, error } of closed) {
      if (!toldClosed.has(id)) log.error({ err: error, channel: id }, 'holding: a channel cannot be opened');
    }
    toldClosed = new Set(closed.map(({ id }) => id));
  }

  return {
    async hold() {
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
    },
    haveLapsed: () => clock.now() >= heldUntil,
    letGo: () => letGoOfCursors(sql, holder, clock.now()),
  };
}
