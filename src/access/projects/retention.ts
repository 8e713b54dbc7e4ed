/** What a project keeps for a time of its own. */
export const kinds = ['messages', 'files', 'events', 'attempts', 'audit'] as const;

export type Kind = (typeof kinds)[number];

/** Months that rows of each kind are kept after the end of their own month. Null for ever. */
export type Retention = Record<Kind, number | null> & {
  /** Nothing is removed while this is set. */
  legal_hold: boolean;
  /** Whether rows are archived before they are removed. */
  archives: boolean;
};

export const keepForEver: Retention = {
  messages: null,
  files: null,
  events: null,
  attempts: null,
  audit: null,
  legal_hold: false,
  archives: true,
};

/** The frequency cap looks at the messages of 90 days. */
export const fewestMonths = { messages: 3, files: 3, events: 1, attempts: 1, audit: 1 } as const;

export const mostMonths = 120;

/** The clocks of processes may differ. */
const graceMs = 2 * 24 * 3_600_000;

/** A calendar month in UTC. `name` is `YYYYMM`, as partitions have it. */
export type Month = { name: string; from: Date; to: Date };

export function monthOf(name: string): Month {
  const [year, month] = [Number(name.slice(0, 4)), Number(name.slice(4)) - 1];
  return { name, from: new Date(Date.UTC(year, month)), to: new Date(Date.UTC(year, month + 1)) };
}

/** Rows from before this moment are removed. Null if none are. It is the beginning of a month. */
export function keptFrom(retention: Retention, kind: Kind, now: Date): Date | null {
  const months = retention[kind];
  if (months === null || retention.legal_hold) return null;
  const counted = new Date(now.getTime() - graceMs);
  return new Date(Date.UTC(counted.getUTCFullYear(), counted.getUTCMonth() - months));
}

/** Whether the rows of this kind and month may be removed now. Source: docs/adr/0021-a-month-is-removed-at-once.md. */
export function isOver(retention: Retention, kind: Kind, month: Month, now: Date): boolean {
  const from = keptFrom(retention, kind, now);
  return from !== null && month.to <= from;
}
