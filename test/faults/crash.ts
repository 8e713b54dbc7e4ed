import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/platform/database/database.ts';
import type { Lifetime, Partner } from '../harness.ts';
import type { Messenger } from '../stand-ins/messenger.ts';
import { claims, type Home, lapseClaims, makeHome } from './home.ts';
import { type Supervisor, supervise } from './supervisor.ts';
import {
  allDone,
  callMs,
  checkAccounts,
  inFlightCount,
  postAll,
  postMessage,
  slowProvider,
} from './traffic.ts';

export type Plan = {
  messages: number;
  crashes: number;
  signal: 'SIGKILL' | 'SIGTERM';
  /** Whether claims of the dead are ended by hand; else the next program waits for their end. */
  lapse: boolean;
};

/**
 * Sends messages while the program is ended again and again, and checks that each was accepted once, sent, and sent
 * twice only if it was under way at an end.
 */
export async function sendThroughCrashes(lifetime: Lifetime, plan: Plan) {
  const { home, supervisor, partner } = await startSupervised(lifetime);
  const { messenger } = partner;
  const { chat } = await partner.client('ann');
  messenger.behave(slowProvider);
  const posting = postAll(plan.messages, messenger, async (number) => {
    const { status, body } = await postMessage(supervisor.call, partner, chat, number);
    assert.equal(status, 201, JSON.stringify(body));
    return body.uuid;
  });
  const inFlight = inFlightCount();
  await crashAgainAndAgain({ home, supervisor }, plan, messenger, async (sql) =>
    inFlight.add(await claims(sql)),
  );
  const uuids = await posting;
  await allDone(home);
  const figures = await checkAccounts(home, uuids, messenger.deliveries, inFlight);
  return { ...figures, brokenRequests: supervisor.brokenRequests() };
}

/** A program, and a partner whose requests reach it, or the next. */
export async function startSupervised(lifetime: Lifetime) {
  const home = await makeHome(lifetime);
  const started = Promise.withResolvers<Supervisor>();
  const partner: Partner = await home.addPartner(lifetime, async (...request) =>
    (await started.promise).call(...request),
  );
  const supervisor = await supervise(lifetime, home.environment);
  started.resolve(supervisor);
  return { home, supervisor, partner };
}

/** At moments that are left to chance, spread over what comes to `receiver`. `look` looks into the database of the dead. */
export async function crashAgainAndAgain(
  { home, supervisor }: { home: Home; supervisor: Supervisor },
  { messages, crashes, signal, lapse }: Plan,
  receiver: Messenger,
  look: (sql: Sql) => Promise<void>,
): Promise<void> {
  for (let crash = 0; crash < crashes; crash += 1) {
    const share = (messages - 1) / crashes;
    await receiver.received(Math.ceil(share * (crash + Math.random())));
    await pause(Math.random() * callMs);
    const { exitCode, complaints } = await supervisor.restart(signal, () =>
      home.look(async (sql) => {
        await look(sql);
        if (lapse) await lapseClaims(sql);
      }),
    );
    assert.equal(exitCode, signal === 'SIGKILL' ? null : 0);
    assert.deepEqual(complaints, []);
  }
}
