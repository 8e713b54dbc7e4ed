import type { Clock } from '../clock.ts';

/** An item whose lease was prolonged: its position among those that were asked for. */
export type Renewed = { position: number };

export type LeaseOptions<Item> = {
  clock: Clock;
  /** How long a claim, or its renewal, is good for. */
  leaseMs: number;
  /** Prolongs the leases of items that are still their holder's, and gives these. Others' stay as they are. */
  renew(items: Item[], until: Date): Promise<readonly Renewed[]>;
  onProblem(error: unknown): void;
};

export type Leases<Item> = {
  /** Items that were claimed at that moment or later. */
  hold(items: readonly Item[], since: Date): void;
  release(items: readonly Item[]): void;
  isLapsed(since: Date): boolean;
  /** Renews the leases of items that nobody works on yet, and gives those that no other has taken meanwhile. */
  regain(items: Item[], now: Date): Promise<Item[]>;
  /** Renews what has lapsed here, so that no claim takes what this process still works on. Fails when that fails. */
  renewLapsed(): Promise<void>;
};

/** A renewal that fails is tried twice more before the lease ends. */
const renewalsInLease = 4;

/** Short leases, renewed for as long as the work takes: a dead process's work is free again when its last one ends. */
export function holdLeases<Item>({ clock, leaseMs, renew, onProblem }: LeaseOptions<Item>): Leases<Item> {
  const renewMs = leaseMs / renewalsInLease;
  /** When each lapses, the soonest first. */
  const held = new Map<Item, number>();
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | undefined;

  const isLapsed = (since: Date): boolean => clock.now().getTime() - since.getTime() >= leaseMs;

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
    isLapsed,
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
