import type { Pool, Sql } from '../../src/platform/database/pool.ts';

/**
 * Work for a pool, whose answer follows from its number alone. No other answer can therefore be mistaken for it. It
 * stores parts 1, 2 and so on in the table `kept`.
 */
export type Exchange = { kind: ExchangeKind; size: number };

type Definition = {
  ask(pool: Pool, id: number, size: number): Promise<unknown>;
  /** The expected answer, unless it fails by itself. */
  answer?(id: number, size: number): unknown;
  /** The code of its own expected error. */
  failsWith?: string;
  /** The number of parts that it leaves in the table. */
  keeps?(size: number): number;
};

export const createKept = (sql: Sql) =>
  sql.unsafe(`
    create table kept (
      id integer not null,
      part integer not null,
      transaction text not null default pg_current_xact_id()
    );
    create index on kept (id)`);

/** Thrown by a transaction that rolls itself back. */
class Abandoned extends Error {
  readonly code = 'ABANDONED';
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const parts = (id: number, count: number) => numbers(count).map((part) => ({ id, part }));

const insert = (sql: Sql, id: number, from: number, to: number) => sql`
  insert into kept (id, part) select ${id}::integer, part from generate_series(${from}::integer, ${to}::integer) as part
  returning id, part`;
const count = (sql: Sql, id: number) => sql`
  select ${id}::integer as id, count(*)::integer as part from kept where id = ${id}`;
/** Fails after this many rows. */
const divide = (sql: Sql, id: number, rows: number) => sql`
  select ${id}::integer as id, 1000 / (${rows + 1}::integer - n) as quotient
  from generate_series(1, ${rows + 100}::integer) as n`;

const definitions = {
  'some rows': {
    ask: (pool, id, size) =>
      pool`
      select ${id}::integer as id, part from generate_series(1, ${size}::integer) as part`.execute(),
    answer: parts,
  },
  'a long text': {
    ask: (pool, id, size) =>
      pool`select ${id}::integer as id, repeat(${`${id} `}, ${size}) as text`.execute(),
    answer: (id, size) => [{ id, text: `${id} `.repeat(size) }],
  },
  json: {
    ask: (pool, id, size) => pool`select ${pool.json({ id, list: numbers(size) })}::jsonb as value`.execute(),
    answer: (id, size) => [{ value: { id, list: numbers(size) } }],
  },
  'an error behind rows': {
    ask: (pool, id, size) => divide(pool, id, size).execute(),
    failsWith: '22012',
  },
  'an error before rows': {
    ask: (pool, id) => pool`select ${`no number ${id}`}::text::integer as id`.execute(),
    failsWith: '22P02',
  },
  'a mistake': {
    ask: (pool, id) => pool`select ${id}::integer as id, missing from kept`.execute(),
    failsWith: '42703',
  },
  'an insert': {
    ask: (pool, id, size) => insert(pool, id, 1, size).execute(),
    answer: parts,
    keeps: (size) => size,
  },
  'an insert that fails': {
    ask: (pool, id, size) =>
      pool`
      insert into kept (id, part)
      select ${id}::integer, 1000 / (${size}::integer - part) from generate_series(1, ${size}::integer) as part`.execute(),
    failsWith: '22012',
  },
  'a transaction': {
    ask: (pool, id, size) =>
      pool.begin(async (transaction) => {
        await insert(transaction, id, 1, size);
        const counted = await count(transaction, id);
        await insert(transaction, id, size + 1, size + 1);
        return counted;
      }),
    answer: (id, size) => [{ id, part: size }],
    keeps: (size) => size + 1,
  },
  'a transaction of statements at once': {
    ask: (pool, id, size) =>
      pool.begin(async (transaction) => {
        const [one, counted, other] = await Promise.all([
          insert(transaction, id, 1, size),
          count(transaction, id),
          insert(transaction, id, size + 1, size + 1),
        ]);
        return [...one, ...counted, ...other];
      }),
    answer: (id, size) => [...parts(id, size), { id, part: size }, { id, part: size + 1 }],
    keeps: (size) => size + 1,
  },
  'a transaction that is given up': {
    ask: (pool, id, size) =>
      pool.begin(async (transaction) => {
        await insert(transaction, id, 1, size);
        throw new Abandoned();
      }),
    failsWith: 'ABANDONED',
  },
  'a transaction that fails behind rows': {
    ask: (pool, id, size) =>
      pool.begin(async (transaction) => {
        await insert(transaction, id, 1, 2);
        await divide(transaction, id, size);
      }),
    failsWith: '22012',
  },
} satisfies Record<string, Definition>;

export type ExchangeKind = keyof typeof definitions;

export const exchangeKinds = Object.keys(definitions).filter(
  (name): name is ExchangeKind => name in definitions,
);

const definitionOf = ({ kind }: Exchange): Definition => definitions[kind];

export type Outcome =
  | { status: 'resolved'; value: unknown }
  | { status: 'rejected'; error: unknown }
  | { status: 'pending' };

/** The outcome, or a marker that none came in time. */
export async function ask(pool: Pool, exchange: Exchange, id: number, patienceMs: number): Promise<Outcome> {
  const ended = async () => definitionOf(exchange).ask(pool, id, exchange.size);
  return outcomeOf(ended, patienceMs);
}

export async function outcomeOf(act: () => Promise<unknown>, patienceMs: number): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(resolve, patienceMs, { status: 'pending' });
  });
  const ended = act().then(
    (value): Outcome => ({ status: 'resolved', value }),
    (error: unknown): Outcome => ({ status: 'rejected', error }),
  );
  const outcome = await Promise.race([ended, late]);
  clearTimeout(timer);
  return outcome;
}

/** A row of `kept`. */
export type Kept = { id: number; part: number; transaction: string };

/** The fault of the answer, or undefined. `mayFail` accepts foreign errors. */
export function wrongAnswer(
  exchange: Exchange,
  id: number,
  outcome: Outcome,
  mayFail: (error: unknown) => boolean,
): string | undefined {
  const { answer, failsWith } = definitionOf(exchange);
  switch (outcome.status) {
    case 'pending':
      return 'no answer';
    case 'rejected':
      if (codeOf(outcome.error) === failsWith && failsWith !== undefined) return undefined;
      return mayFail(outcome.error) ? undefined : `not its own error: ${outcome.error}`;
    case 'resolved': {
      if (!answer) return 'an answer, though it failed';
      const [got, wanted] = [JSON.stringify(outcome.value), JSON.stringify(answer(id, exchange.size))];
      return got === wanted ? undefined : `not its own rows: ${brief(got)} instead of ${brief(wanted)}`;
    }
  }
}

/** The fault of the stored parts. */
export function wrongKept(exchange: Exchange, outcome: Outcome, kept: Kept[]): string | undefined {
  const { keeps, failsWith } = definitionOf(exchange);
  const found = JSON.stringify(kept.map(({ part }) => part).sort((one, other) => one - other));
  const whole = JSON.stringify(numbers(keeps?.(exchange.size) ?? 0));
  if (outcome.status === 'resolved' && found !== whole) return `acknowledged, but kept are ${found}`;
  const refused = outcome.status === 'rejected' && codeOf(outcome.error) === failsWith;
  if (found === '[]' || (found === whole && !refused)) return undefined;
  return `not whole and not nothing: kept are ${found}`;
}

/** Ids of several exchanges in one transaction, which exchanges never share. */
export function mixedTransactions(kept: Kept[]): number[][] {
  const ids = new Map<string, Set<number>>();
  for (const { id, transaction } of kept) ids.set(transaction, (ids.get(transaction) ?? new Set()).add(id));
  return [...ids.values()].filter(({ size }) => size > 1).map((mixed) => [...mixed]);
}

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const brief = (json: string | undefined): string =>
  json && json.length > 150
    ? `${json.slice(0, 75)} … ${json.slice(-75)} (${json.length} characters)`
    : `${json}`;
