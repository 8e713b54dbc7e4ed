import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Bounds } from './concurrency.ts';
import type { Renewed } from './leases.ts';
import type { Lane } from './look.ts';
import type { Cell } from './suspects.ts';

export type PumpOptions<Item, Result> = {
  name: string;
  clock: Clock;
  log: Logger;
  /** Every lane with waiting items, and the time at which it next needs a worker. */
  due(): Promise<Lane[]>;
  /** Leases up to `free` due items of a lane. Empty when there are none. A claim that throws has leased nothing. */
  claim(key: string, free: number): Promise<Item[]>;
  /** Does the work before the deadline. Must not throw: a failure is a result too. */
  perform(item: Item, deadline: AbortSignal): Promise<Result>;
  /** Writes results, all or none. Called again after an outage of the database. */
  record(results: Result[]): Promise<void>;
  /**
   * The minimum and maximum number of items in one lane, from their start until their results are written. More than
   * the minimum are used if they help. May change at any time.
   */
  places(key: string): Bounds;
  /** Claimed items in all lanes. */
  mostAtOnce: number;
  /** Absent: items are claimed only when they have a place. */
  ahead?: Ahead<Item, Result>;
  /** Lanes of suspects run in it, one item at a time. Absent if there are none. */
  cell?: Cell;
  /** The duration of a claim, unless it is renewed. */
  leaseMs: number;
  /** Renews the leases of items that this worker still holds, and returns these items. */
  renew(items: Item[], until: Date): Promise<readonly Renewed[]>;
  /** Whether the database itself was unavailable. It may then accept the same results later. */
  isUnavailable(error: unknown): boolean;
};

/** Some items are claimed before their place is free, so that it need not wait for a claim. */
export type Ahead<Item, Result> = {
  /** Ends the leases of items that were not started. */
  giveBack(items: Item[]): Promise<void>;
  /** Whether this result may change what a claim takes. What was claimed before it is then claimed again. */
  outdates(result: Result): boolean;
};
