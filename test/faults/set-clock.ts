import assert from 'node:assert/strict';
import { testDatabaseKind } from '../database.ts';
import type { Lifetime } from '../harness.ts';
import { answerWith } from '../stand-ins/messenger.ts';
import { makeHome } from './home.ts';
import { clockAhead, startProgram } from './program.ts';
import { allDone, checkAccounts, inFlightCount, postMessage } from './traffic.ts';

/** Longer than the looks of the other worker for due work. */
const callMs = 6_000;
/** As many calls as a channel begins with. */
const atOnce = 60;

/**
 * Sets the clock of a machine by an hour, forward and then back, while its calls run. On a server another worker runs
 * beside it, with calls of its own. Nothing is interrupted, so every message must be called once.
 */
export async function setClock(lifetime: Lifetime) {
  const home = await makeHome(lifetime);
  const { environment } = home;
  const wrong = await startProgram(lifetime, { ...environment, ...clockAhead(0), PATCHBAY_DEMO: 'off' });
  const other =
    testDatabaseKind === 'server' &&
    (await startProgram(lifetime, { ...environment, PATCHBAY_ROLES: 'worker' }));
  const partner = await home.addPartner(lifetime, wrong.call);
  const { messenger } = partner;
  const { chat } = await partner.client('ann');
  messenger.behave((...call) => void setTimeout(() => answerWith(200)(...call), callMs));
  const uuids: string[] = [];
  const post = async () => {
    for (let n = 0; n < atOnce; n += 1) {
      const { status, body } = await postMessage(wrong.call, partner, chat, uuids.length);
      assert.equal(status, 201, JSON.stringify(body));
      uuids.push(body.uuid);
    }
    await messenger.received(uuids.length);
  };
  for (const _ of ['forward', 'back']) {
    await post();
    wrong.signal('SIGUSR2');
    await allDone(home);
  }
  await post();
  await allDone(home);
  for (const program of other ? [wrong, other] : [wrong]) assert.equal(await program.end('SIGTERM'), 0);
  return checkAccounts(home, uuids, messenger.deliveries, inFlightCount());
}
