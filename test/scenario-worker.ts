import assert from 'node:assert/strict';
import type { Context } from '../src/platform/context.ts';
import { claim, type Leased } from '../src/scenarios/runs/claim.ts';
import { definitionsOf } from '../src/scenarios/runs/definitions.ts';
import { perform } from '../src/scenarios/runs/perform.ts';
import type { Turn } from '../src/scenarios/runs/turn.ts';

const leaseMs = 60_000;

/** A worker of scenarios whose turns the test records itself. */
export function scenarioWorker(context: Context, projectId: string) {
  const { sql, clock, newId } = context;
  const definitions = definitionsOf(sql);

  /** Claims what is due at this time. Returns the run of the chat. */
  async function claimIn(chat: string, now = clock.now()): Promise<Leased | undefined> {
    const leased = { projectId, lease: newId(), now, leaseUntil: new Date(now.getTime() + leaseMs) };
    return (await claim(context, definitions, leased, 100)).find(({ run }) => run.chat_id === chat);
  }

  /** The next turn of the chat's run, which is due. */
  async function performIn(chat: string, now = clock.now()): Promise<Turn> {
    const leased = await claimIn(chat, now);
    assert.ok(leased);
    return perform(context, definitions, leased, AbortSignal.timeout(leaseMs));
  }

  return { claimIn, performIn };
}
