import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { manualClock } from '../clock.ts';
import { testDatabase, testDatabaseKind } from '../database.ts';
import { createPartner, type Lifetime, type Partner, startPatchbay } from '../harness.ts';
import { until } from './until.ts';

/** Messages that are launched at the same moment. Several channels make several claims of them. */
const atOnce = 50;
const channels = 5;
/** Turns of the event loop over which the cancels of a round are spread. Its launch is at one of them. */
const turns = 120;
const minuteMs = 60_000;

/** Cancels messages around the moment of their launch. Checks that each was either cancelled or sent, once. */
export async function cancelAroundLaunch(lifetime: Lifetime, messages: number) {
  const clock = manualClock();
  const database = await testDatabase(lifetime);
  const config = { secretKey: 'the same for every process of a test' };
  const patchbay = await startPatchbay(lifetime, { config, clock, database });
  // On a server another worker claims too.
  if (testDatabaseKind === 'server') await startPatchbay(lifetime, { config, clock, database });
  const { call, context } = patchbay;

  const partners: { partner: Partner; chat: string }[] = [];
  for (let number = 0; number < channels; number += 1) {
    const partner = await createPartner(lifetime, patchbay);
    partners.push({ partner, chat: (await partner.client('ann')).chat });
  }

  type Message = { uuid: string; partner: Partner };

  async function plan(number: number): Promise<Message> {
    const { partner, chat } = partners[number % channels] ?? assert.fail();
    const launch_at = new Date(clock.now().getTime() + minuteMs).toISOString();
    const { status, body } = await call('POST', '/api/partners/push-messages/', {
      headers: partner.key,
      body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hello' }, launch_at },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return { uuid: body.uuid, partner };
  }

  async function launch(): Promise<void> {
    await pass(Math.floor(Math.random() * turns));
    clock.advance(minuteMs);
    context.wake.wake('sending');
  }

  /** Whether the message was cancelled in time. */
  async function cancel({ uuid, partner }: Message): Promise<boolean> {
    await pass(Math.floor(Math.random() * turns));
    const path = `/api/partners/push-messages/${uuid}/cancel/`;
    const { status } = await call('POST', path, { headers: partner.key });
    assert.ok(status === 204 || status === 400, `a cancel was answered with ${status}`);
    return status === 204;
  }

  const state = async ({ uuid }: Message): Promise<string> => {
    const [row] = await context.sql<[{ state: string }]>`select state from messages where id = ${uuid}`;
    return row.state;
  };
  const timesReceived = ({ uuid, partner }: Message): number =>
    partner.messenger.deliveries.filter(({ headers }) => headers['idempotency-key'] === uuid).length;

  const cancelled: Message[] = [];
  const sent: Message[] = [];
  for (let round = 0; round * atOnce < messages; round += 1) {
    const planned = await Promise.all(Array.from({ length: atOnce }, (_, number) => plan(number)));
    const [, ...answers] = await Promise.all([launch(), ...planned.map(cancel)]);
    planned.forEach((message, index) => {
      (answers[index] ? cancelled : sent).push(message);
    });
    for (const message of sent.slice(-atOnce)) await until(async () => (await state(message)) === 'SENT');
  }
  for (const message of sent) assert.equal(timesReceived(message), 1, '400 means: sent exactly once');
  for (const message of cancelled) {
    assert.deepEqual(
      [timesReceived(message), await state(message)],
      [0, 'CANCELLED'],
      '204 means: never sent',
    );
  }
  return { cancelled: cancelled.length, sent: sent.length };
}

async function pass(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
