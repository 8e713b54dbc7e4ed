import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedProject } from '../../../test/seed.ts';
import type { OutboundRequest } from '../../platform/outbound/outbound.ts';
import { CannotOpen, createVault } from '../../platform/secrets/vault.ts';
import { addChannel, listChannels, loadChannel, NewerPlatform } from './channels.ts';
import { noteCall } from './store.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());
const { sql } = context;
let projectId: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
});

const messengerSettings = { webhook_url: 'https://m.example/', secret: 'planted-secret of 24 signs' };

const addMessenger = () =>
  addChannel(context, { projectId, platform: 'API_Messenger', name: 'Chats', settings: messengerSettings });

/** Telegram's answer to `setWebhook`, without a call. */
function telegramAnswering(answer: object) {
  const calls: OutboundRequest[] = [];
  const request = async (call: OutboundRequest) => {
    calls.push(call);
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)), truncated: false };
  };
  return { calls, outbound: { ...context.outbound, request } };
}

const telegram = { platform: 'Telegram', name: 'Bot', settings: { bot_token: '1:planted-token' } } as const;

test('a channel is read as it was added', async () => {
  const { id, webhookUrl } = await addMessenger();
  assert.equal(webhookUrl, `https://patchbay.test/channels/${id}/`);
  assert.deepEqual(await loadChannel(context, id), {
    projectId,
    id,
    platform: 'API_Messenger',
    name: 'Chats',
    settings: messengerSettings,
    state: 'active',
    isCalled: false,
  });
  assert.equal(await loadChannel(context, projectId), null);
});

test('only the first call of a provider is noted, however many arrive at once', async () => {
  const channel = await addMessenger();
  const later = new Date(noon.getTime() + 60_000);
  for (const at of [noon, later]) await noteCall(sql, channel, at);
  const [row] = await sql<{ called_at: Date }[]>`select called_at from channels where id = ${channel.id}`;
  assert.deepEqual(row?.called_at, noon);
  assert.equal((await loadChannel(context, channel.id))?.isCalled, true);
});

test('secret settings are never stored in plain text, and open only with the right key in their own channel', async () => {
  const { id } = await addMessenger();
  const other = await addMessenger();
  const [row] = await sql<{ text: string }[]>`select channels::text as text from channels where id = ${id}`;
  assert.ok(!row?.text.includes('planted-secret'));
  assert.ok(!row?.text.includes(Buffer.from('planted-secret').toString('hex')));
  assert.ok(row?.text.includes('https://m.example/'));

  const vault = createVault('another key of the tests, long enough too');
  await assert.rejects(loadChannel({ sql, vault }, id), CannotOpen);
  await sql`
    update channels set sealed_settings = (select sealed_settings from channels where id = ${id})
    where id = ${other.id}`;
  await assert.rejects(loadChannel(context, other.id), CannotOpen);
  await sql`delete from channel_pace where channel_id = ${other.id}`;
  await sql`delete from channels where id = ${other.id}`;
});

test("a channel starts at its provider's documented rate", async () => {
  const { id: free } = await addMessenger();
  const { outbound } = telegramAnswering({ ok: true, result: true });
  const { id: limited } = await addChannel({ ...context, outbound }, { projectId, ...telegram });
  const rows = await sql<{ channel_id: string; rate: number | null; rate_ceiling: number | null }[]>`
    select channel_id, rate, rate_ceiling from channel_pace where project_id = ${projectId} order by channel_id`;
  assert.deepEqual(
    [...rows],
    [
      { channel_id: free, rate: null, rate_ceiling: null },
      { channel_id: limited, rate: 30, rate_ceiling: 30 },
    ],
  );
});

test('the provider gets the address before the channel is active, and a refusal leaves nothing behind', async () => {
  const willing = telegramAnswering({ ok: true, result: true });
  const added = await addChannel({ ...context, outbound: willing.outbound }, { projectId, ...telegram });
  assert.ok(String(willing.calls.at(-1)?.body).includes(added.webhookUrl));

  const unwilling = telegramAnswering({ ok: false, error_code: 401, description: 'Unauthorized' });
  await assert.rejects(addChannel({ ...context, outbound: unwilling.outbound }, { projectId, ...telegram }), {
    fields: { settings: { non_field_errors: ['Telegram refused: Unauthorized.'] } },
  });
  assert.deepEqual(await idsOfProject(), [added.id]);
});

test('each invalid setting has its own error', async () => {
  const add = (settings: Record<string, unknown>) =>
    addChannel(context, { projectId, platform: 'API_Messenger', name: 'Chats', settings });
  await assert.rejects(add({ secret: 'x'.repeat(24) }), {
    fields: { settings: { webhook_url: ['This field is required.'] } },
  });
  await assert.rejects(add({ ...messengerSettings, secret: 'x'.repeat(23) }), {
    fields: { settings: { secret: ['Ensure this field has at least 24 characters.'] } },
  });
  await assert.rejects(add({ secret: 'x'.repeat(24), webhook_url: 'nowhere' }), {
    fields: { settings: { webhook_url: ['Enter a valid URL.'] } },
  });
  await assert.rejects(add({ ...messengerSettings, webhok_url: 'x', constructor: 'y' }), {
    fields: {
      settings: {
        webhok_url: ['There is no such setting. There are: webhook_url, secret.'],
        constructor: ['There is no such setting. There are: webhook_url, secret.'],
      },
    },
  });
});

const idsOfProject = async () => {
  const { open } = await listChannels(context);
  return open.filter((channel) => channel.projectId === projectId).map(({ id }) => id);
};

test('channels are listed oldest first, and those that cannot be opened keep no other from its work', async () => {
  const first = await addMessenger();
  const sealed = await addMessenger();
  const newer = await addMessenger();
  const last = await addMessenger();
  await sql`update channels set sealed_settings = '' where id = ${sealed.id}`;
  await sql`update channels set platform = 'Signal' where id = ${newer.id}`;
  assert.deepEqual(await idsOfProject(), [first.id, last.id]);
  const { closed } = await listChannels(context);
  assert.deepEqual(
    closed.map(({ id, error }) => [id, error.constructor]),
    [
      [sealed.id, CannotOpen],
      [newer.id, NewerPlatform],
    ],
  );
  await assert.rejects(loadChannel(context, newer.id), NewerPlatform);
});
