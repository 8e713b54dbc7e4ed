import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { livesOf } from '../../../test/lives.ts';
import { queueTexts } from '../../../test/queue-texts.ts';
import { answerWith } from '../../../test/stand-ins/messenger.ts';
import { mostInterruptions, suspectAfter } from '../../platform/pump/suspects.ts';
import { startSending } from './engine.ts';

const leaseMs = 5_000;
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { context } = patchbay;

test('a message that kills its process is given up in the end, and no message that ran beside it', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { messenger, channel } = partner;
  const { chat } = await partner.client('ann');
  const [guilty = '', ...innocent] = await queueTexts(
    context,
    { ...partner, channelId: channel.id, chat },
    40,
  );
  const lives = livesOf(context, clock, leaseMs, startSending);
  const calls = new Map<string, number>();
  messenger.behave((delivery, response) => {
    const { uuid } = delivery.body.payload.message;
    calls.set(uuid, (calls.get(uuid) ?? 0) + 1);
    if (uuid === guilty) lives.die();
    answerWith(200)(delivery, response);
  });
  const rows = () => context.sql<{ id: string; state: string; attempts: number; lane: number }[]>`
    select id, state, attempts, lane from messages where id = any (${[guilty, ...innocent]}) order by id`;
  await lives.until(async () => (await rows()).every(({ state }) => !/PENDING|IN_PROCESS/.test(state)));

  assert.deepEqual(
    (await rows()).map(({ state, attempts, lane }) => [state, attempts, lane < 2]),
    [['ERROR', 0, true], ...innocent.map(() => ['SENT', 1, true])],
  );
  assert.equal(calls.get(guilty), mostInterruptions);
  for (const id of innocent) assert.ok((calls.get(id) ?? 0) <= suspectAfter + 1, `${calls.get(id)} calls`);
});
