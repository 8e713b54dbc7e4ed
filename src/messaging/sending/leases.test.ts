import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { severable } from '../../../test/cut-off.ts';
import { createPartner, type Lifetime, startPatchbay } from '../../../test/harness.ts';
import { queueTexts } from '../../../test/queue-texts.ts';
import { answerWith } from '../../../test/stand-ins/messenger.ts';
import { startSending } from './engine.ts';

const leaseMs = 5_000;
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { context } = patchbay;

/** A message whose call is running in a worker, and the provider's answers to that call. */
async function callUnderWay(lifetime: Lifetime) {
  const partner = await createPartner(lifetime, patchbay);
  const { chat } = await partner.client('ann');
  const [id = ''] = await queueTexts(
    context,
    { projectId: partner.projectId, channelId: partner.channel.id, chat },
    1,
  );
  const answers: ((status: number) => void)[] = [];
  partner.messenger.behave((delivery, response) => {
    answers.push((status) => answerWith(status)(delivery, response));
  });
  const connection = severable(context.sql);
  const first = startSending({ ...context, sql: connection.sql });
  await partner.messenger.received(1);
  const row = async () => {
    const [found] = await context.sql<{ state: string; leased_until: Date; lease: string | null }[]>`
      select state, leased_until, lease from messages where id = ${id}`;
    if (!found) throw new Error('the message is gone');
    return found;
  };
  return {
    partner,
    connection,
    first,
    row,
    /** The first call is answered first. */
    answer: (status: number) => answers.shift()?.(status),
    async isIn(state: string) {
      while ((await row()).state !== state);
    },
    async isRenewed() {
      const until = clock.now().getTime() + leaseMs;
      while ((await row()).leased_until.getTime() !== until);
    },
  };
}

test('a lost worker’s message is taken over at the end of the lease, and a late result does not change it', async (t) => {
  const { partner, connection, first, row, isIn, answer } = await callUnderWay(t);
  connection.cut();
  assert.equal((await row()).leased_until.getTime() - clock.now().getTime(), leaseMs);
  clock.advance(leaseMs);
  const second = startSending(context);
  await partner.messenger.received(2);
  const ofSecond = await row();
  connection.mend();
  answer(422);
  await first.stop();
  assert.deepEqual(await row(), ofSecond);
  answer(200);
  await isIn('SENT');
  await second.stop();
});

test('a call that takes three leases keeps its message', async (t) => {
  const { partner, first, isIn, isRenewed, answer } = await callUnderWay(t);
  const second = startSending(context);
  for (let lease = 0; lease < 4; lease += 1) {
    clock.advance(leaseMs - 1);
    second.wake();
    await isRenewed();
  }
  answer(200);
  await isIn('SENT');
  await Promise.all([first.stop(), second.stop()]);
  assert.equal(partner.messenger.deliveries.length, 1);
});

test('a worker that returns before its message is taken over renews the lease, and does not call again', async (t) => {
  const { partner, connection, first, isIn, isRenewed, answer } = await callUnderWay(t);
  connection.cut();
  clock.advance(10 * leaseMs);
  connection.mend();
  first.wake();
  await isRenewed();
  answer(200);
  await isIn('SENT');
  await first.stop();
  assert.equal(partner.messenger.deliveries.length, 1);
});
