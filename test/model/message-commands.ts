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

/** The message, once it exists, and the workers in the middle of a call, by number. Dead workers stay there. */
type Expected = { message: Model | null };
export type Real = { world: World; begun: number; workers: Map<number, Worker> };
type Command = fc.AsyncCommand<Expected, Real>;

type Step = {
  name: string;
  check?(message: Model): boolean;
  run(message: Model, real: Real): Promise<void>;
};

/** A command for an existing message. Afterwards the database must agree with the model. */
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

/** After this many calls the message gets no more work. */
const mostCalls = 12;
const waits = ({ state, calls }: Model): boolean =>
  (state === 'PENDING' || state === 'IN_PROCESS') && calls < mostCalls;

/** Whether a worker reaches the provider is decided when its call ends, if it does. */
const work = step({
  name: 'work',
  check: waits,
  async run(message, real) {
    if (!(await real.world.isDue())) return;
    real.begun += 1;
    claim(message, real.begun);
    real.workers.set(real.begun, await real.world.work());
  },
});

/** One of the workers gets its answer: at once, or after other workers have run. */
const answer = (which: number, ending: Ending): Command =>
  step({
    name: `answer(${which}, ${ending})`,
    async run(message, { world, workers }) {
      const [number, worker] = [...workers].at(-1 - which) ?? [];
      if (number === undefined || !worker) return;
      workers.delete(number);
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

/** A message, and a series of actions. Most of them are work, as most others end the message. */
export const commands = (most: number) => {
  const which = fc.nat(1);
  const ending = fc.constantFrom(...endings);
  const receipt = fc.constantFrom<Receipt>('delivered', 'read', 'undelivered');
  const works = fc.constant(work);
  const answers = fc.tuple(which, ending).map((chosen) => answer(...chosen));
  const passes = fc.constantFrom(second, 21 * second, 70 * second, hour, 25 * hour).map(pass);
  const cancels = fc.constant(cancelIt);
  const receipts = fc.array(receipt, { minLength: 1, maxLength: 2 }).map(receiveThem);
  const chosen = [works, works, works, answers, answers, passes, passes, cancels, receipts];
  return fc
    .tuple(
      fc.constantFrom(create(null), create(60 * second)),
      fc.commands(chosen, { maxCommands: most, size: 'max' }),
    )
    .map(([first, rest]) => [first, ...rest]);
};
