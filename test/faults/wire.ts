import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import pino from 'pino';
import { type Database, isDatabaseUnavailable } from '../../src/storage/database.ts';
import { createPool, type Pool } from '../../src/storage/pool.ts';
import {
  type Fault,
  type FaultKind,
  proxyErrorCode,
  startWireProxy,
  type WireProxy,
} from '../stand-ins/wire-proxy.ts';
import {
  ask,
  codeOf,
  type Exchange,
  exchangeKinds,
  type Kept,
  mixedTransactions,
  outcomeOf,
  wrongAnswer,
  wrongKept,
} from './exchanges.ts';

/** Exchanges that begin together, each after so many turns, on a pool whose way to the server goes wrong. */
export type Round = {
  max: number;
  exchanges: (Exchange & { turn: number })[];
  faults: { connection: number; fault: Fault }[];
  /** The turn in which the pool ends, if it does before its statements do. */
  endTurn: number | null;
};

/** However busy the machine, nothing takes longer, unless it never ends. */
const patienceMs = 20_000;
/** In a round that loses answers a statement is given up early, or the round would take long. */
const hurriedMs = 400;
const calmMs = 10_000;
const turns = 20;

const skewed = (max: number) => fc.double({ min: 0, max: 1, noNaN: true }).map((x) => Math.floor(max ** x));

const exchange = fc.record({
  kind: fc.constantFrom(...exchangeKinds),
  size: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 1, arbitrary: skewed(1_500) },
  ),
  turn: fc.integer({ min: 0, max: turns }),
});

const way = fc.constantFrom('asked' as const, 'answered' as const);
const atByte = skewed(60_000);
const atMessage = skewed(4_000);
const kind = <Kind extends FaultKind>(name: Kind) => fc.constant(name);

const harmless: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: kind('delay'), way, at: atByte, ms: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: kind('dribble'), way, at: atByte, bytes: skewed(1_000) }),
  fc.record({ kind: kind('notice'), at: atMessage }),
  fc.record({ kind: kind('parameter'), at: atMessage }),
  fc.record({ kind: kind('error'), at: atMessage }),
);
const harmful: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: kind('cut'), way, at: atByte }),
  fc.record({ kind: kind('cut'), way, at: atByte }),
  fc.record({ kind: kind('silence'), way, at: atByte }),
  fc.record({ kind: kind('shutdown'), at: atMessage }),
);
const on = (fault: fc.Arbitrary<Fault>) =>
  fc.array(fc.record({ connection: fc.integer({ min: 0, max: 5 }), fault }), { maxLength: 12 });

const round: fc.Arbitrary<Round> = fc.record({
  max: fc.integer({ min: 1, max: 3 }),
  exchanges: fc.array(exchange, { minLength: 40, maxLength: 160, size: 'max' }),
  faults: fc.oneof(on(harmless), on(fc.oneof(harmless, harmful))),
  endTurn: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * turns }) },
  ),
});

export const roundOf = (seed: number): Round => fc.sample(round, { seed, numRuns: 1 })[0] ?? raise();
function raise(): never {
  throw new Error('fast-check has made no round');
}

const losesAnswers = ({ faults, endTurn }: Round): boolean =>
  endTurn !== null || faults.some(({ fault: { kind } }) => ['cut', 'silence', 'shutdown'].includes(kind));

export type Findings = {
  exchanges: number;
  /** How many ended in an error that was not their own. */
  lost: number;
  inflicted: WireProxy['inflicted'];
  passed: WireProxy['passed'];
  wrong: string[];
};

type Judgement = {
  database: Database;
  round: Round;
  /** What else goes wrong meanwhile, and costs answers. */
  trouble?: () => Promise<void>;
};

let claimedIds = 0;

/** The first of so many numbers that no other exchange in this process has. */
export function claimIds(count: number): number {
  claimedIds += count;
  return claimedIds - count;
}

/** Runs a round against the database, whose table `kept` is there. */
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
  const findings: Findings = { exchanges: 0, lost: 0, inflicted, passed, wrong: [] };
  const { wrong } = findings;
  const hurried = trouble !== undefined || losesAnswers(round);
  const options = {
    max: round.max,
    statementTimeoutMs: hurried ? hurriedMs : calmMs,
    log: pino({ level: 'silent' }),
  };
  const mayFail = (error: unknown): boolean =>
    (hurried && isDatabaseUnavailable(error)) || codeOf(error) === proxyErrorCode;

  const pool = await connect(() => createPool(proxy.address, options), mayFail, wrong);
  if (!pool) return findings;
  const ending = round.endTurn === null ? undefined : endIn(pool, round.endTurn);
  const firstId = claimIds(round.exchanges.length);
  const troubled = trouble?.();
  const outcomes = await Promise.all(
    round.exchanges.map(async (exchange, index) => {
      await pass(exchange.turn);
      return { exchange, outcome: await ask(pool, exchange, firstId + index, patienceMs) };
    }),
  );
  await troubled;
  proxy.heal();
  if (!ending) wrong.push(...(await untilBack(pool, round.max)));
  if (!(await (ending ?? endIn(pool, 0)))) wrong.push('the pool does not end');

  const kept = await database.sql<Kept[]>`
    select id, part, transaction from kept where id >= ${firstId} and id < ${firstId + outcomes.length}`;
  const keptBy = Map.groupBy(kept, ({ id }) => id);
  for (const [index, { exchange, outcome }] of outcomes.entries()) {
    const id = firstId + index;
    const faults = [
      wrongAnswer(exchange, id, outcome, mayFail),
      wrongKept(exchange, outcome, keptBy.get(id) ?? []),
    ];
    for (const fault of faults) if (fault) wrong.push(`${exchange.kind}, number ${id}: ${fault}`);
    if (outcome.status === 'rejected' && mayFail(outcome.error)) findings.lost += 1;
  }
  for (const ids of mixedTransactions(kept)) wrong.push(`in one transaction: numbers ${ids.join(', ')}`);
  return { ...findings, exchanges: outcomes.length };
}

async function pass(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** Tries until it succeeds: the first connections may be those that fail. */
async function connect(
  create: () => Promise<Pool>,
  mayFail: (error: unknown) => boolean,
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

/** Whether it came to its end. */
async function endIn(pool: Pool, turn: number): Promise<boolean> {
  await pass(turn);
  return (await outcomeOf(() => pool.end({ timeout: 1 }), patienceMs)).status === 'resolved';
}

/** Asks until all that is asked at once is answered. Resolves to what was wrong. */
async function untilBack(pool: Pool, max: number): Promise<string[]> {
  const exchange: Exchange = { kind: 'some rows', size: 3 };
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const ids = Array.from({ length: 3 * max }, (_, index) => index);
    const outcomes = await Promise.all(ids.map((id) => ask(pool, exchange, id, patienceMs)));
    const wrong = outcomes.map((outcome, id) => wrongAnswer(exchange, id, outcome, isDatabaseUnavailable));
    const found = wrong.filter((words) => words !== undefined);
    if (found.length > 0) return found.map((words) => `after the faults: ${words}`);
    if (outcomes.every(({ status }) => status === 'resolved')) return [];
  }
  return ['after the faults: the pool does not work again'];
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
 * Loses the connection behind every so many-th byte of a few exchanges, each way, from the startup on. Resolves to how
 * often, and to what was wrong.
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

/** A transaction begins behind so many statements, and inserts follow. Resolves to what was wrong. */
export async function beginBehind(database: Database, waiting: number): Promise<string[]> {
  const some = { kind: 'some rows', size: 1, turn: 0 } as const;
  const exchanges = [
    ...Array<typeof some>(waiting).fill(some),
    { kind: 'a transaction', size: 1, turn: 0 } as const,
    ...Array.from({ length: 20 }, (_, turn) => ({ kind: 'an insert', size: 1, turn }) as const),
  ];
  return (await judge({ database, round: { ...calm, max: 2, exchanges } })).wrong;
}

/** Another in each run; FUZZ_SEED repeats one. */
export const anySeed = (): number => Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A run with so much wrong in it is ended, as it says enough. */
const enoughWrong = 20;

/** Runs rounds, the first of this seed and each of the next one, until there were so many exchanges. */
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
