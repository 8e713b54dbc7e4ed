import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../test/mailing.ts';
import { queueTexts } from '../../../test/queue-texts.ts';

const clock = manualClock();
const lines: { msg: string; lane?: string }[] = [];
const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
const patchbay = await startPatchbay({ after }, { clock, log });
const { sql, wake } = patchbay.context;

type Row = { state: string; lease: string | null; attempts: number; state_detail: string };

const read = async (id = ''): Promise<Row> => {
  const [row] = await sql<Row[]>`select state, lease, attempts, state_detail from messages where id = ${id}`;
  assert.ok(row);
  return row;
};

async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

test('while a channel cannot be read none of its messages is claimed or given up', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const { id: channelId } = partner.channel;
  const [row] = await sql<
    [{ sealed_settings: Buffer }]
  >`select sealed_settings from channels where id = ${channelId}`;
  await sql`update channels set sealed_settings = '' where id = ${channelId}`;
  const [id] = await queueTexts(patchbay.context, { ...partner, channelId, chat }, 1);
  await waitFor(() => lines.some(({ msg, lane }) => lane === channelId && /could not claim/.test(msg)));
  assert.deepEqual(await read(id), { state: 'PENDING', lease: null, attempts: 0, state_detail: '' });

  await sql`update channels set sealed_settings = ${row.sealed_settings} where id = ${channelId}`;
  wake.wake('sending');
  await waitFor(async () => (await read(id)).state === 'SENT');
  assert.equal(partner.messenger.deliveries.length, 1);
});

test('a message whose data cannot be loaded has no lease, and is sent when it can be', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const { id: channelId } = partner.channel;
  await sql`alter table sessions rename column title to title_elsewhere`;
  const [id] = await queueTexts(patchbay.context, { ...partner, channelId, chat }, 1);
  await waitFor(() => lines.some(({ msg, lane }) => lane === channelId && /could not claim/.test(msg)));
  assert.deepEqual(await read(id), { state: 'PENDING', lease: null, attempts: 0, state_detail: '' });

  await sql`alter table sessions rename column title_elsewhere to title`;
  await waitFor(async () => {
    wake.wake('sending');
    return (await read(id)).state === 'SENT';
  });
  assert.equal(partner.messenger.deliveries.length, 1);
});

test('a mailing’s message whose recipient cannot be read waits, however often, and is then rendered', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const mailing = await seedMailing(sql, partner.projectId, { text: 'Hello {{name}}' });
  await sql`alter table profiles rename column pda_agreed to pda_agreed_elsewhere`;
  const [id = ''] = await seedMailingMessages(sql, partner.projectId, mailing, [{ chat }]);
  for (let times = 0; times < 15; times += 1) {
    wake.wake('sending');
    await waitFor(async () => (await read(id)).state_detail !== '');
    assert.partialDeepStrictEqual(await read(id), { state: 'PENDING', attempts: 0 });
    await sql`update messages set state_detail = '' where id = ${id}`;
    clock.advance(10_000);
  }
  await sql`alter table profiles rename column pda_agreed_elsewhere to pda_agreed`;
  wake.wake('sending');
  const [delivery] = await partner.messenger.received(1);
  assert.equal(delivery?.body.payload.message.text, 'Hello ann');
});

test('a channel of a platform that this release does not know keeps its messages for a release that does', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const { id: channelId } = partner.channel;
  await sql`update channels set platform = 'Signal' where id = ${channelId}`;
  const [id] = await queueTexts(patchbay.context, { ...partner, channelId, chat }, 1);
  await waitFor(() => lines.some(({ msg, lane }) => lane === channelId && /could not claim/.test(msg)));
  assert.deepEqual(await read(id), { state: 'PENDING', lease: null, attempts: 0, state_detail: '' });
  await sql`update channels set platform = 'API_Messenger' where id = ${channelId}`;
  wake.wake('sending');
  await waitFor(async () => (await read(id)).state === 'SENT');
});
