import type { Clock } from '../clock.ts';

/** An item with a renewed lease: its position in the input. */
export type Renewed = { position: number };

export type LeaseOptions<Item> = {
  clock: Clock;
  /** The duration of a claim or a renewal. */
  leaseMs: number;
  /**
   * Renews the leases of items that their holder still has, and returns these items. Other holders' leases stay
   * unchanged.
   */
  renew(items: Item[], until: Date): Promise<readonly Renewed[]>;
  onProblem(error: unknown): void;
};

export type Leases<Item> = {
  /** Items that were claimed at that time or later. */
  hold(items: readonly Item[], since: Date): void;
  release(items: readonly Item[]): void;
  /** Whether at most half of such a lease is left: work that begins now might soon be another worker's, too. */
  endsSoon(since: Date): boolean;
  /** Renews the leases of items that have not been started, and returns those that no other worker has taken. */
  regain(items: Item[], now: Date): Promise<Item[]>;
  /**
   * Renews the lapsed leases of this process, so that no claim takes work that it still does. Rejects if a renewal
   * fails.
   */
  renewLapsed(): Promise<void>;
};

/** A failed renewal is retried twice before the lease ends. */
const renewalsInLease = 4;

/** Short leases that are renewed during the work. A dead process's work is free again when its last lease ends. */
export function holdLeases<Item>({ clock, leaseMs, renew, onProblem }: LeaseOptions<Item>): Leases<Item> {
  const renewMs = leaseMs / renewalsInLease;
  /** The time at which each item's lease lapses, the earliest first. */
  const held = new Map<Item, number>();
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | undefined;

  async function renewEndingIn(ms: number): Promise<void> {
    const now = clock.now().getTime();
    const items = [...held].filter(([, until]) => until - now <= ms).map(([item]) => item);
    if (items.length === 0) return;
    const until = now + leaseMs;
    await renew(items, new Date(until));
    for (const item of items) if (held.delete(item)) held.set(item, until);
  }

  function watch(): void {
    if (held.size > 0) timer ??= setTimeout(tick, renewMs).unref();
  }

  async function tick(): Promise<void> {
    await renewEndingIn(leaseMs - renewMs).catch(onProblem);
    timer = undefined;
    watch();
  }

  return {
    endsSoon: (since) => clock.now().getTime() - since.getTime() >= leaseMs / 2,
    async regain(items, now) {
      const renewed = await renew(items, new Date(now.getTime() + leaseMs));
      const positions = new Set(renewed.map(({ position }) => position));
      return items.filter((_, position) => positions.has(position));
    },
    hold(items, since) {
      for (const item of items) held.set(item, since.getTime() + leaseMs);
      watch();
    },
    release(items) {
      for (const item of items) held.delete(item);
      if (held.size > 0) return;
      clearTimeout(timer);
      timer = undefined;
    },
    async renewLapsed() {
      const [soonest = Number.POSITIVE_INFINITY] = held.values();
      if (soonest > clock.now().getTime()) return;
      renewing ??= renewEndingIn(0).finally(() => {
        renewing = undefined;
      });
      await renewing;
    },
  };
}
