import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  cancel,
  claim,
  type Ending,
  end,
  endings,
  type Model,
  newMessage,
  type Receipt,
  receive,
} from './message-model.ts';
import { assertSame, type Worker, type World } from './world.ts';

/** The message, once there is one, and every worker that was ever at work on it; those that died never end. */
type Expected = { message: Model | null };
type Real = { world: World; workers: Worker[] };
type Command = fc.AsyncCommand<Expected, Real>;

type Step = {
  name: string;
  check?(message: Model): boolean;
  run(message: Model, real: Real): Promise<void>;
};

/** A command for a message that is there; afterwards the database says what the model says. */
const step = ({ name, check = () => true, run }: Step): Command => ({
  check: ({ message }) => message !== null && check(message),
  async run({ message }, real) {
    assert.ok(message);
    await run(message, real);
    await assertSame(real.world, message);
  },
  toString: () => name,
});

const create = (launchInMs: number | null): Command => ({
  check: ({ message }) => message === null,
  async run(expected, { world }) {
    await world.create(launchInMs);
    expected.message = newMessage();
    await assertSame(world, expected.message);
  },
  toString: () => `create(${launchInMs === null ? 'now' : 'later'})`,
});

/** After so many calls it is given up without another. */
const mostCalls = 12;
const waits = ({ state, calls }: Model): boolean =>
  (state === 'PENDING' || state === 'IN_PROCESS') && calls < mostCalls;

/** Whether it is the provider or the way to it that the worker reaches is decided when its call ends, if it does. */
const work = step({
  name: 'work',
  check: waits,
  async run(message, { world, workers }) {
    if (!(await world.isDue())) return;
    claim(message, workers.length);
    workers.push(await world.work());
  },
});

/** One of the workers gets its answer: at once, or when others have been at work since. */
const answer = (which: number, ending: Ending): Command =>
  step({
    name: `answer(${which}, ${ending})`,
    async run(message, { world, workers }) {
      const number = workers.length - 1 - which;
      const worker = workers[number];
      if (!worker) return;
      if (ending === 'sent' || ending === 'lost') message.mayHaveSent = true;
      end(message, number, ending, world.age());
      await worker.end(ending);
    },
  });

const cancelIt = step({
  name: 'cancel',
  async run(message, { world }) {
    const cancelled = cancel(message);
    assert.equal(await world.cancel(), cancelled);
    if (cancelled) assert.ok(!message.mayHaveSent, 'a 204 means that nothing was sent');
  },
});

const receiveThem = (receipts: Receipt[]): Command =>
  step({
    name: `receive(${receipts.join(', ')})`,
    async run(message, { world }) {
      for (const receipt of receipts) receive(message, receipt);
      await world.receive(...receipts);
    },
  });

const pass = (ms: number): Command =>
  step({ name: `pass(${ms} ms)`, run: async (_message, { world }) => world.pass(ms) });

const second = 1_000;
const hour = 3_600 * second;

export const commands = (most: number) => {
  const receipt = fc.constantFrom<Receipt>('delivered', 'read', 'undelivered');
  return fc
    .tuple(
      fc.constantFrom(create(null), create(60 * second)),
      fc.commands(
        [
          fc.constant(work),
          fc.tuple(fc.nat(1), fc.constantFrom(...endings)).map(([which, ending]) => answer(which, ending)),
          fc.constant(cancelIt),
          fc.array(receipt, { minLength: 1, maxLength: 2 }).map(receiveThem),
          fc.constantFrom(second, 21 * second, 70 * second, hour, 25 * hour).map(pass),
        ],
        { maxCommands: most },
      ),
    )
    .map(([first, rest]) => [first, ...rest]);
};
