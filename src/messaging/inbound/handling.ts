import type { Context } from '../../platform/context.ts';
import type { FairLease } from '../../platform/database/fair-lease.ts';
import { outboundUntil } from '../../platform/outbound/outbound.ts';

const lookEveryMs = 5_000;
/**
 * For all projects together, and for one: rows whose provider hangs hold their places for long, and delay no other
 * project.
 */
const atOnce = 48;
const atOnceOfProject = 6;

export type Handling = { stop(): Promise<void> };

type Search<Row extends { project_id: string }> = {
  /** Wakes the worker. */
  topic: string;
  /** Another process takes a row that has not been handled by then. */
  leaseMs: number;
  lease(sql: Context['sql'], lease: FairLease): Promise<Row[]>;
  /** Never rejects because of a provider. */
  handle(context: Context, row: Row): Promise<void>;
};

/**
 * Handles due rows as soon as they are known, a few at a time, and fewer of one project. A stop ends the calls. Their
 * rows are handled again when their leases have ended.
 */
export function startHandling<Row extends { project_id: string }>(
  context: Context,
  { topic, leaseMs, lease, handle }: Search<Row>,
): Handling {
  const { sql, clock, log, wake } = context;
  const end = new AbortController();
  const ours = { ...context, outbound: outboundUntil(context.outbound, end.signal) };
  /** The work on each row, with its project. */
  const running = new Map<Promise<void>, string>();
  let stopping = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;

  function look(): void {
    again = true;
    if (looking || stopping) return;
    clearTimeout(timer);
    looking = drain()
      .catch((error: unknown) => log.warn({ err: error }, `could not look for ${topic}`))
      .finally(() => {
        looking = null;
        if (!stopping) timer = setTimeout(look, lookEveryMs);
      });
  }

  async function drain(): Promise<void> {
    while (again && !stopping && running.size < atOnce) {
      again = false;
      const rows = await lease(sql, leaseBeside([...running.values()], clock.now(), leaseMs));
      for (const row of rows) begin(row);
      again ||= rows.length > 0;
    }
  }

  function begin(row: Row): void {
    const work = handle(ours, row)
      .catch((error: unknown) => log.warn({ err: error }, `${topic}: a row could not be handled`))
      .finally(() => {
        running.delete(work);
        look();
      });
    running.set(work, row.project_id);
  }

  const forget = wake.subscribe(topic, look);
  look();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      forget();
      end.abort();
      await looking;
      await Promise.all(running.keys());
    },
  };
}

/** A lease of as many rows as fit beside the running work, whose projects are given. */
function leaseBeside(running: string[], now: Date, leaseMs: number): FairLease {
  const ofProjects = Map.groupBy(running, (project) => project);
  return {
    now,
    until: new Date(now.getTime() + leaseMs),
    most: atOnce - running.length,
    mostOfProject: atOnceOfProject,
    taken: [...ofProjects].map(([project_id, { length }]) => ({ project_id, count: length })),
  };
}
