import assert from 'node:assert/strict';
import type { ManualClock } from '../clock.ts';
import { createPartner, type Lifetime, type Patchbay } from '../harness.ts';
import { queueTexts } from '../queue-texts.ts';
import { answerWith, type Behaviour } from '../stand-ins/messenger.ts';
import {
  endlessBody,
  endlessHeaders,
  garbage,
  hangUp,
  hangUpInTheBody,
  silence,
  silenceInTheBody,
  silenceInTheHeaders,
} from '../stand-ins/troubles.ts';
import { until } from './until.ts';

type State = 'PENDING' | 'IN_PROCESS' | 'SENT' | 'UNDELIVERED' | 'ERROR';
type Trouble = { behaviour: Behaviour; becomes: State };

/** The resulting state of a message. PENDING: certainly not sent. IN_PROCESS: perhaps sent. Both are retried. */
export const answered: Record<string, Trouble> = {
  'asks to slow down': { behaviour: answerWith(429, { 'retry-after': '30' }), becomes: 'PENDING' },
  fails: { behaviour: answerWith(500), becomes: 'IN_PROCESS' },
  'is busy': { behaviour: answerWith(503, { 'retry-after': '60' }), becomes: 'IN_PROCESS' },
  'sends us elsewhere': {
    behaviour: answerWith(302, { location: 'http://127.0.0.1:1/' }),
    becomes: 'IN_PROCESS',
  },
  'answers with garbage': { behaviour: garbage, becomes: 'IN_PROCESS' },
  'hangs up without an answer': { behaviour: hangUp, becomes: 'IN_PROCESS' },
  'hangs up in the middle of its answer': { behaviour: hangUpInTheBody, becomes: 'IN_PROCESS' },
  'sends headers without end': { behaviour: endlessHeaders, becomes: 'IN_PROCESS' },
  'sends a body without end': { behaviour: endlessBody, becomes: 'SENT' },
  'refuses the content': { behaviour: answerWith(422), becomes: 'UNDELIVERED' },
  'knows no such client': { behaviour: answerWith(404), becomes: 'UNDELIVERED' },
  'was blocked by the client': { behaviour: answerWith(403), becomes: 'UNDELIVERED' },
  'refuses our signature': { behaviour: answerWith(401), becomes: 'ERROR' },
};

/** These last until the end of a call's real timeout: 15 s. */
export const silent: Record<string, Trouble> = {
  'does not answer': { behaviour: silence, becomes: 'IN_PROCESS' },
  'falls silent in its headers': { behaviour: silenceInTheHeaders, becomes: 'IN_PROCESS' },
  'falls silent in its body': { behaviour: silenceInTheBody, becomes: 'IN_PROCESS' },
};

const retried: State[] = ['PENDING', 'IN_PROCESS'];

/** Sends a message to a provider in trouble, which then recovers. */
export async function sendInTrouble(
  lifetime: Lifetime,
  patchbay: Patchbay,
  clock: ManualClock,
  { behaviour, becomes }: Trouble,
): Promise<void> {
  const { sql, wake } = patchbay.context;
  const partner = await createPartner(lifetime, patchbay);
  const { messenger } = partner;
  const { chat } = await partner.client('ann');
  messenger.behave(behaviour);
  const [id = ''] = await queueTexts(
    patchbay.context,
    { ...partner, channelId: partner.channel.id, chat },
    1,
  );
  const row = async () => {
    const [found] = await sql<[{ state: State; lease: string | null; claimable_at: Date }]>`
      select state, lease, greatest(due_at, resume_at) + interval '10 seconds' as claimable_at
      from messages join channel_pace using (project_id, channel_id) where id = ${id}`;
    return found;
  };
  await messenger.received(1);
  await until(async () => (await row()).lease === null);
  assert.equal((await row()).state, becomes);

  messenger.behave(answerWith(200));
  const ends = retried.includes(becomes) ? 'SENT' : becomes;
  await until(async () => {
    const { state, lease, claimable_at } = await row();
    if (state === ends) return true;
    // Advances no further. An invisible claim may be running, and would end before its call.
    if (lease === null) clock.advance(Math.max(0, claimable_at.getTime() - clock.now().getTime()));
    wake.wake('sending');
    return false;
  });
  const ids = messenger.deliveries.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual(ids, retried.includes(becomes) ? [id, id] : [id]);
}
