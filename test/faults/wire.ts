import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, isDatabaseUnavailable } from '../../src/platform/database/database.ts';
import { createPool, type Pool } from '../../src/platform/database/pool.ts';
import { proxyErrorCode, startWireProxy, type WireProxy } from '../stand-ins/wire-proxy.ts';
import {
  ask,
  codeOf,
  type Exchange,
  type Kept,
  mixedTransactions,
  type Outcome,
  outcomeOf,
  wrongAnswer,
  wrongKept,
} from './exchanges.ts';
import { losesAnswers, type Round, roundOf } from './rounds.ts';

/** However busy the machine, no exchange takes longer, unless it never ends. */
const patienceMs = 20_000;
/** In a round that loses answers a statement times out early, or the round would take long. */
const hurriedMs = 400;
const calmMs = 10_000;

export type Findings = {
  exchanges: number;
  /** The number of exchanges that ended in a foreign error. */
  lost: number;
  inflicted: WireProxy['inflicted'];
  passed: WireProxy['passed'];
  wrong: string[];
};

type Judgement = {
  database: Database;
  round: Round;
  /** A further fault meanwhile, which costs answers. */
  trouble?: () => Promise<void>;
};

type Asked = { exchange: Exchange; id: number; outcome: Outcome };
type Forgiving = (error: unknown) => boolean;

let claimedIds = 0;

/** The first of this many numbers, unique in this process. */
export function claimIds(count: number): number {
  claimedIds += count;
  return claimedIds - count;
}

/** Runs a round against the database, whose table `kept` exists. */
export async function judge(judgement: Judgement): Promise<Findings> {
  const { database, round } = judgement;
  const proxy = await startWireProxy(database.address, (connection) =>
    round.faults.filter((given) => given.connection === connection).map(({ fault }) => fault),
  );
  try {
    return await judgeBehind(proxy, judgement);
  } finally {
    await proxy.close();
  }
}

async function judgeBehind(proxy: WireProxy, { database, round, trouble }: Judgement): Promise<Findings> {
  const { inflicted, passed } = proxy;
  const hurried = trouble !== undefined || losesAnswers(round);
  const mayFail: Forgiving = (error) =>
    (hurried && isDatabaseUnavailable(error)) || codeOf(error) === proxyErrorCode;
  const wrong: string[] = [];
  const create = () =>
    createPool(proxy.address, {
      max: round.max,
      statementTimeoutMs: hurried ? hurriedMs : calmMs,
    });

  const pool = await connect(create, mayFail, wrong);
  if (!pool) return { exchanges: 0, lost: 0, inflicted, passed, wrong };
  const ending = round.endTurn === null ? undefined : endIn(pool, round.endTurn);
  const troubled = trouble?.();
  const asked = await Promise.all(
    round.exchanges.map(async (exchange) => {
      await pass(exchange.turn);
      return await askNew(pool, exchange);
    }),
  );
  await troubled;
  proxy.heal();
  const lost = asked.filter(({ outcome }) => outcome.status === 'rejected' && mayFail(outcome.error)).length;
  if (!ending && !(await worksAgain(pool, round.max, asked))) wrong.push('the pool does not work again');
  if (!(await (ending ?? endIn(pool, 0)))) wrong.push('the pool does not end');
  wrong.push(...(await wrongOf(database, asked, mayFail)));
  return { exchanges: round.exchanges.length, lost, inflicted, passed, wrong };
}

async function askNew(pool: Pool, exchange: Exchange): Promise<Asked> {
  const id = claimIds(1);
  return { exchange, id, outcome: await ask(pool, exchange, id, patienceMs) };
}

/** The faults of the answers, and of the stored parts. */
async function wrongOf({ sql }: Database, asked: Asked[], mayFail: Forgiving): Promise<string[]> {
  const ids = asked.map(({ id }) => id);
  const kept = await sql<Kept[]>`
    select id, part, transaction from kept where id between ${Math.min(...ids)} and ${Math.max(...ids)}`;
  const keptBy = Map.groupBy(kept, ({ id }) => id);
  const wrong = asked.flatMap(({ exchange, id, outcome }) => {
    const found = [
      wrongAnswer(exchange, id, outcome, mayFail),
      wrongKept(exchange, outcome, keptBy.get(id) ?? []),
    ];
    return found
      .filter((words) => words !== undefined)
      .map((words) => `${exchange.kind}, number ${id}: ${words}`);
  });
  const mixed = mixedTransactions(kept).map(
    (together) => `in one transaction: numbers ${together.join(', ')}`,
  );
  return [...wrong, ...mixed];
}

async function pass(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** Tries until it succeeds: the first connections may fail. */
async function connect(
  create: () => Promise<Pool>,
  mayFail: Forgiving,
  wrong: string[],
): Promise<Pool | undefined> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    let pool: Pool | undefined;
    const outcome = await outcomeOf(async () => {
      pool = await create();
    }, patienceMs);
    if (pool) return pool;
    if (outcome.status === 'pending') wrong.push('creating the pool does not end');
    else if (outcome.status === 'rejected' && !mayFail(outcome.error))
      wrong.push(`creating the pool failed: ${outcome.error}`);
  }
  wrong.push('no pool can be created');
  return undefined;
}

/** Whether the pool ended. */
async function endIn(pool: Pool, turn: number): Promise<boolean> {
  await pass(turn);
  return (await outcomeOf(() => pool.end({ timeout: 1 }), patienceMs)).status === 'resolved';
}

/** Asks for more at once than the pool has connections, until everything is answered. */
async function worksAgain(pool: Pool, max: number, asked: Asked[]): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const inserts = Array.from({ length: 3 * max }, () => askNew(pool, { kind: 'an insert', size: 3 }));
    const again = await Promise.all(inserts);
    asked.push(...again);
    if (again.every(({ outcome }) => outcome.status === 'resolved')) return true;
  }
  return false;
}

export type Figures = {
  exchanges: number;
  rounds: number;
  lost: number;
  faults: Record<string, number>;
  wrong: string[];
};

const calm = { faults: [], endTurn: null };

/**
 * Loses the connection after every `step`-th byte of a few exchanges, in each direction, from the startup on.
 * Resolves to the number of losses, and to the faults.
 */
export async function loseAtEveryByte(database: Database, kind: 'cut' | 'silence', step: number) {
  const kinds = ['some rows', 'an insert', 'an error behind rows', 'a transaction', 'an insert'] as const;
  const exchanges = kinds.map((kind) => ({ kind, size: 3, turn: 0 }));
  const whole = await judge({ database, round: { ...calm, max: 1, exchanges } });
  const { wrong } = whole;
  let times = 0;
  for (const [connection, bytes] of whole.passed.entries()) {
    for (const way of ['asked', 'answered'] as const) {
      for (let at = 0; at <= bytes[way]; at += step) {
        const faults = [{ connection, fault: { kind, way, at } }];
        const found = await judge({ database, round: { ...calm, max: 1, exchanges, faults } });
        wrong.push(...found.wrong.map((words) => `${kind} at byte ${at} ${way} on ${connection}: ${words}`));
        times += found.inflicted.get(kind) ?? 0;
      }
    }
  }
  return { times, wrong };
}

/** Transactions that begin behind `least` to `most` statements, and an insert after each. */
export async function beginBehind(database: Database, least: number, most: number): Promise<string[]> {
  const pool = await createPool(database.address, { max: 2, statementTimeoutMs: calmMs });
  const asked: Asked[] = [];
  await worksAgain(pool, 2, asked);
  for (let waiting = least; waiting <= most; waiting += 1) {
    const some = Array.from({ length: waiting }, () => askNew(pool, { kind: 'some rows', size: 1 }));
    for (let turn = 0; turn < 8; turn += 1) await null;
    const begun = askNew(pool, { kind: 'a transaction', size: 1 });
    asked.push(await begun, ...(await Promise.all(some)));
    asked.push(await askNew(pool, { kind: 'an insert', size: 1 }));
  }
  await endIn(pool, 0);
  return await wrongOf(database, asked, () => false);
}

/** A new seed for each run. FUZZ_SEED repeats one. */
export const anySeed = (): number => Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A run with this many faults ends early. */
const enoughWrong = 20;

/** Runs rounds with consecutive seeds, until the number of exchanges is reached. */
export async function judgeExchanges(database: Database, count: number, seed: number): Promise<Figures> {
  const figures: Figures = { exchanges: 0, rounds: 0, lost: 0, faults: {}, wrong: [] };
  while (figures.exchanges < count && figures.wrong.length < enoughWrong) {
    const roundSeed = seed + figures.rounds;
    const { exchanges, lost, inflicted, wrong } = await judge({ database, round: roundOf(roundSeed) });
    figures.exchanges += exchanges;
    figures.rounds += 1;
    figures.lost += lost;
    for (const [kind, times] of inflicted) figures.faults[kind] = (figures.faults[kind] ?? 0) + times;
    figures.wrong.push(...wrong.map((words) => `seed ${roundSeed}: ${words}`));
  }
  return figures;
}
