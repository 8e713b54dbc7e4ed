import fc from 'fast-check';
import type { Fault, FaultKind } from '../stand-ins/wire-proxy.ts';
import { type Exchange, exchangeKinds } from './exchanges.ts';

/**
 * Exchanges that begin together, each after its number of turns, on a pool with a faulty connection to the server.
 */
export type Round = {
  max: number;
  exchanges: (Exchange & { turn: number })[];
  faults: { connection: number; fault: Fault }[];
  /** The turn in which the pool ends, if it ends before its statements. */
  endTurn: number | null;
};

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

export const losesAnswers = ({ faults, endTurn }: Round): boolean =>
  endTurn !== null || faults.some(({ fault: { kind } }) => ['cut', 'silence', 'shutdown'].includes(kind));
