import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import type { Endpoint } from './dial.ts';
import { Line } from './line.ts';

/** How to connect, and postgres.js's options as it has parsed them, with the array types of the server. */
export type Template = { endpoint: Endpoint; options: object };

type Body = (transaction: postgres.TransactionSql) => unknown;

/** Those of postgres.js's `sql.begin`. */
export type BeginParameters = [Body] | [options: string, Body];

export type LivePool = {
  sql: postgres.Sql;
  begin(...parameters: BeginParameters): Promise<unknown>;
  /** Gives up a pool that has lost a connection: soon, all that waits for it is rejected. */
  retire(): Promise<void>;
  /** Ends in order: takes nothing new, and waits so long for what runs. */
  end(timeoutSeconds: number): Promise<void>;
};

/** Every statement is answered within its timeout; a server that lets this much more pass without a word is gone. */
const graceMs = 200;
/** How long statements on the other connections may go on when one connection is lost. */
const retireMs = 100;

/** One pool of postgres.js on lines of ours. It lasts until a line is lost, which `onLost` is told. */
export function connectPool(
  { endpoint, options }: Template,
  statementTimeoutMs: number,
  onLost: (pool: LivePool) => void,
): LivePool {
  const lines = new Set<Line>();
  let transactions = 0;
  let stage: 'open' | 'ending' | 'buried' = 'open';

  const socket = async () => {
    const line = new Line(statementTimeoutMs + graceMs);
    lines.add(line);
    line.once('close', () => lines.delete(line));
    line.once('error', () => onLost(pool));
    const late = stage !== 'open';
    if (!late) await line.open(endpoint);
    // Not before postgres.js has got the line.
    if (late || stage === 'buried') setImmediate(() => line.bury());
    return line;
  };
  // postgres.js takes options that it has parsed before as they are, which its types do not say.
  const sql: postgres.Sql = postgres({ ...options, socket } as postgres.Options<Record<string, never>>);

  /** Each burial makes postgres.js try to connect for the next statement that waits, which must fail by now. */
  function buryLines(): void {
    stage = 'buried';
    for (const line of lines) {
      line.destroy();
      if (!line.isInTransaction || transactions === 0) line.bury();
    }
  }
  const pool: LivePool = {
    sql,
    begin(...parameters) {
      const [options, body] = parameters.length === 2 ? parameters : ['', ...parameters];
      let running = false;
      const outcome = sql.begin(options, (transaction) => {
        running = true;
        transactions += 1;
        return body(transaction);
      });
      return outcome.finally(() => {
        if (running) transactions -= 1;
        if (stage === 'buried') buryLines();
      });
    },
    async retire() {
      stage = 'ending';
      await delay(retireMs);
      buryLines();
    },
    async end(timeoutSeconds) {
      stage = 'ending';
      await sql.end({ timeout: timeoutSeconds });
      buryLines();
    },
  };
  return pool;
}
