import type { Context } from '../../platform/context.ts';

const lookEveryMs = 5_000;
const atOnce = 8;

export type Handling = { stop(): Promise<void> };

type Search<Row> = {
  /** Wakes the worker. */
  topic: string;
  /** Another process takes a row that has not been handled by then. */
  leaseMs: number;
  lease(sql: Context['sql'], now: Date, until: Date, most: number): Promise<Row[]>;
  /** Never rejects because of a provider. */
  handle(context: Context, row: Row): Promise<void>;
};

/** Handles due rows as soon as they are known, a few at a time. */
export function startHandling<Row>(
  context: Context,
  { topic, leaseMs, lease, handle }: Search<Row>,
): Handling {
  const { sql, clock, log, wake } = context;
  let stopping = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  function look(): void {
    again = true;
    if (running || stopping) return;
    clearTimeout(timer);
    running = drain()
      .catch((error: unknown) => log.warn({ err: error }, `could not look for ${topic}`))
      .finally(() => {
        running = null;
        if (!stopping) timer = setTimeout(look, lookEveryMs);
      });
  }

  async function drain(): Promise<void> {
    for (let found = atOnce; (found === atOnce || again) && !stopping; ) {
      again = false;
      const now = clock.now();
      const rows = await lease(sql, now, new Date(now.getTime() + leaseMs), atOnce);
      await Promise.all(rows.map((row) => handle(context, row)));
      found = rows.length;
    }
  }

  const forget = wake.subscribe(topic, look);
  look();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      forget();
      await running;
    },
  };
}
