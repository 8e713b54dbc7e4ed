import type { Context } from '../src/platform/context.ts';
import type { Pump } from '../src/platform/pump/pump.ts';
import type { ManualClock } from './clock.ts';
import { type SeverablePool, severable } from './cut-off.ts';

type Life = { connection: SeverablePool; engine: Pump; died: PromiseWithResolvers<'died'> };

/** A worker that can be killed. It is started again when its leases have ended. */
export function livesOf(
  context: Context,
  clock: ManualClock,
  leaseMs: number,
  start: (context: Context) => Pump,
) {
  let life: Life | undefined;

  function begin(): Life {
    const connection = severable(context.sql, 'killed');
    const engine = start({ ...context, sql: connection.sql });
    return { connection, engine, died: Promise.withResolvers() };
  }

  async function overIn(mine: Life, isOver: () => Promise<boolean>): Promise<'over'> {
    while (mine === life && !(await isOver())) await new Promise(setImmediate);
    return 'over';
  }

  return {
    /** From now on the worker writes nothing. */
    die() {
      life?.connection.cut();
      life?.died.resolve('died');
    },
    /** Runs one life after another. */
    async until(isOver: () => Promise<boolean>): Promise<void> {
      for (;;) {
        life = begin();
        const { died, engine } = life;
        const end = await Promise.race([died.promise, overIn(life, isOver)]);
        await engine.stop();
        if (end === 'over') return;
        clock.advance(leaseMs);
      }
    },
  };
}
