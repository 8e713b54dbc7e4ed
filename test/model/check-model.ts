import fc from 'fast-check';
import { manualClock } from '../clock.ts';
import { testContext } from '../context.ts';
import { testDatabase } from '../database.ts';
import type { Lifetime } from '../harness.ts';
import { commands, type Real } from './message-commands.ts';
import { newWorld, watchMoves } from './world.ts';

/**
 * Applies random actions to this many messages, one after another. Compares each message with the model at every
 * step.
 */
export async function checkModel(lifetime: Lifetime, messages: number): Promise<void> {
  const { sql } = await testDatabase(lifetime);
  await watchMoves(sql);
  const clock = manualClock();
  const context = testContext({ sql }, clock);
  const begin = async () => {
    const real: Real = { world: await newWorld(context, clock), begun: 0, workers: new Map() };
    return { model: { message: null }, real };
  };
  await fc.assert(
    fc.asyncProperty(commands(30), (chosen) => fc.asyncModelRun(begin, chosen)),
    { numRuns: messages },
  );
}
