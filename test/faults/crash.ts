import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lifetime } from '../harness.ts';
import { claims, lapseClaims, makeHome } from './home.ts';
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

type Plan = {
  messages: number;
  crashes: number;
  signal: 'SIGKILL' | 'SIGTERM';
  /** Whether claims of the dead are ended by hand; else the next program waits for their end. */
  lapse: boolean;
};

/**
 * Sends messages while the program is ended again and again, at moments that are left to chance, and checks that each
 * was accepted once, sent, and sent twice only if it was under way at an end.
 */
export async function sendThroughCrashes(lifetime: Lifetime, plan: Plan) {
  const home = await makeHome(lifetime);
  const first = Promise.withResolvers<Supervisor>();
  const partner = await home.addPartner(lifetime, async (...request) =>
    (await first.promise).call(...request),
  );
  const supervisor = await supervise(lifetime, home.environment);
  first.resolve(supervisor);
  const { chat } = await partner.client('ann');
  const { messenger } = partner;
  messenger.behave(slowProvider);

  let brokenRequests = 0;
  const posting = postAll(plan.messages, messenger, async (number) => {
    for (;;) {
      const program = await supervisor.current();
      try {
        const { status, body } = await postMessage(program.call, partner, chat, number);
        assert.equal(status, 201, JSON.stringify(body));
        return body.uuid;
      } catch (error) {
        if (program === (await supervisor.current())) throw error;
        brokenRequests += 1;
      }
    }
  });

  const inFlight = inFlightCount();
  for (let crash = 0; crash < plan.crashes; crash += 1) {
    const share = (plan.messages - 1) / plan.crashes;
    await messenger.received(Math.ceil(share * (crash + Math.random())));
    await pause(Math.random() * callMs);
    const { complaints } = await supervisor.current();
    const code = await supervisor.restart(plan.signal, () =>
      home.look(async (sql) => {
        inFlight.add(await claims(sql));
        if (plan.lapse) await lapseClaims(sql);
      }),
    );
    assert.equal(code, plan.signal === 'SIGKILL' ? null : 0);
    assert.deepEqual(complaints, []);
  }
  const uuids = await posting;
  await allDone(home);
  return { ...(await checkAccounts(home, uuids, messenger.deliveries, inFlight)), brokenRequests };
}
