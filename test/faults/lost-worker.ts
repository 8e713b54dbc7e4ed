import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Lifetime } from '../harness.ts';
import type { TcpProxy } from '../proxy.ts';
import { queueTexts } from '../queue-texts.ts';
import { answerWith } from '../stand-ins/messenger.ts';
import { startFarDatabase } from './far-database.ts';
import { claims } from './home.ts';
import { type Program, startProgram } from './program.ts';
import { allDone } from './traffic.ts';
import { until } from './until.ts';

/** Calls that are answered at once: the channel becomes fast, and its worker claims ahead. */
const fast = 1_500;
const queued = 2_500;

/** Takes a worker away, and brings it back when its places have become free again. */
type Loss = {
  begin(worker: Program, proxy: TcpProxy): void;
  end(worker: Program, proxy: TcpProxy): Promise<void> | void;
};

export const cutOff: Loss = {
  begin: (_worker, proxy) => proxy.freeze(),
  async end(worker, proxy) {
    await until(() => worker.complaints.some((line) => line.includes('results not written yet')));
    proxy.thaw();
  },
};

export const stopped: Loss = {
  begin: (worker) => worker.signal('SIGSTOP'),
  end: (worker) => worker.signal('SIGCONT'),
};

/** A call that lasts until the test answers it. */
type OpenCall = { id: string; response: ServerResponse };

/**
 * A worker is lost while its calls run and more messages are claimed ahead of them. Another worker sends everything.
 * Then the calls of the lost worker are answered, and it comes back. It must call nothing that it had claimed ahead.
 */
export async function loseWorker(lifetime: Lifetime, loss: Loss) {
  const { proxy, home, near } = await startFarDatabase(lifetime);
  const api = await startProgram(lifetime, { ...home.environment, ...near, PATCHBAY_ROLES: 'api' });
  const partner = await home.addPartner(lifetime, api.call);
  const { messenger, projectId, channel } = partner;
  const { chat } = await partner.client('ann');
  const timesCalled = (id: string) =>
    messenger.deliveries.filter(({ body }) => body.payload.message.uuid === id).length;
  const send = (count: number) =>
    home.within((context) => queueTexts(context, { projectId, channelId: channel.id, chat }, count));

  const open: OpenCall[] = [];
  messenger.behave((delivery, response) => {
    if (messenger.deliveries.length <= fast) return answerWith(200)(delivery, response);
    open.push({ id: delivery.body.payload.message.uuid, response });
  });
  const ids = await send(queued);
  const lost = await startProgram(lifetime, { ...home.environment, PATCHBAY_ROLES: 'worker' });
  const ahead = await home.look((sql) => claimedAhead(() => claims(sql), open));

  loss.begin(lost, proxy);
  messenger.behave(answerWith(200));
  const other = await startProgram(lifetime, { ...home.environment, ...near, PATCHBAY_ROLES: 'worker' });
  await allDone(home);
  for (const { response } of open) response.end('{}');
  await loss.end(lost, proxy);
  await until(async () => (await lost.call('GET', '/readyz')).status === 200);

  // Alone, it works as before.
  assert.equal(await other.end('SIGTERM'), 0);
  const later = await send(200);
  await allDone(home);
  assert.equal(await lost.end('SIGTERM'), 0);
  const inFlight = new Set(open.map(({ id }) => id));
  for (const id of [...ids, ...later]) assert.equal(timesCalled(id), inFlight.has(id) ? 2 : 1, id);
  return { messages: ids.length + later.length, inFlight: inFlight.size, ahead: ahead.length };
}

/** Waits until every place has a call and nothing moves. Returns the messages that are claimed and have no call. */
async function claimedAhead(claimed: () => Promise<{ id: string }[]>, open: OpenCall[]): Promise<string[]> {
  const looksAlike = 20;
  let seen = '';
  let alike = 0;
  let ahead: string[] = [];
  await until(async () => {
    const calls = new Set(open.map(({ id }) => id));
    ahead = (await claimed()).map(({ id }) => id).filter((id) => !calls.has(id));
    const now = `${calls.size} ${ahead.length}`;
    alike = now === seen && ahead.length > 0 && calls.size > 0 ? alike + 1 : 0;
    seen = now;
    return alike === looksAlike;
  });
  return ahead;
}
