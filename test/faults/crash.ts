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
  /** Whether the test ends the claims of dead programs. Otherwise the next program waits for their end. */
  lapse: boolean;
};

/**
 * Sends messages while the program is ended again and again. Checks that each was accepted once, and sent. A message
 * may be sent twice only if it was in flight at an end.
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

/** A program, and a partner whose requests reach it, or its successor. */
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

/**
 * Ends the program at random moments, spread over the deliveries to `receiver`. `look` reads the database of the
 * ended program.
 */
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
