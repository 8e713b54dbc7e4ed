import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { addChannel } from '../../src/channels/connected/channels.ts';
import type { Platform } from '../../src/channels/contract/platforms.ts';
import { startMax } from '../../src/simulator/max/provider.ts';
import { startVk } from '../../src/simulator/vkontakte/provider.ts';
import { createPartner, startPatchbay } from '../harness.ts';
import { heldTimeouts } from '../held-timeouts.ts';

let logged: (line: string) => void = () => {};
const log = pino({ level: 'warn' }, { write: (line: string) => logged(line) });
const patchbay = await startPatchbay({ after }, { log, config: { roles: ['api'] } });
const { context } = patchbay;
const { sql } = context;
// Providers call the given address.
context.config.publicUrl = patchbay.address;
const { projectId } = await createPartner({ after }, patchbay);

const connect = (platform: Platform, settings: Record<string, string>) =>
  addChannel(context, { projectId, platform, name: platform, settings });

const payloadsIn = async ({ id }: { id: string }) => {
  const rows = await sql<{ payload: string }[]>`
    select content ->> 'payload' as payload from messages where channel_id = ${id} and direction = 'in' order by id`;
  return rows.map(({ payload }) => payload);
};

/** The next value that a listener gets. */
const next = <Told>(listen: (listener: (told: Told) => void) => void): Promise<Told> =>
  new Promise((resolve) => listen(resolve));

const pressed = (callback_id: string, payload: string) => ({
  update_type: 'message_callback',
  timestamp: 1,
  callback: { callback_id, timestamp: 1, payload, user: { user_id: 777, is_bot: false } },
});

test('Max: a pressed button is answered, so that it is busy no longer', async (t) => {
  heldTimeouts(t);
  const bot = await startMax(t, { access_token: 'one' });
  const channel = await connect('Max', { access_token: 'one', api_root: bot.root });
  const answered = next(bot.answers.listen);
  assert.partialDeepStrictEqual(await bot.happen(pressed('c1', 'yes')), [{ status: 200 }]);
  assert.deepEqual(await answered, { callback_id: 'c1', body: { notification: '✓' } });
  assert.deepEqual(await payloadsIn(channel), ['yes']);
});

test('Vkontakte: a pressed button is answered, so that it is busy no longer', async (t) => {
  heldTimeouts(t);
  const account = { access_token: 'one', group_id: '5' };
  const vk = await startVk(t, account);
  const channel = await connect('Vkontakte', { ...account, api_root: vk.root });
  const answered = next(vk.answers.listen);
  const press = { event_id: 'p1', user_id: 777, peer_id: 777, payload: { button: 'yes' } };
  assert.deepEqual(await vk.happen('message_event', press), [{ status: 200, text: 'ok' }]);
  assert.partialDeepStrictEqual(await answered, { event_id: 'p1', user_id: '777', peer_id: '777' });
  assert.deepEqual(await payloadsIn(channel), ['yes']);
});

test('an answer to a press that fails is logged, and loses nothing', async (t) => {
  const bot = await startMax(t, { access_token: 'two' });
  const channel = await connect('Max', { access_token: 'two', api_root: bot.root });
  for (const answer of ['close', { status: 500, body: '' }, { status: 200, body: 'no JSON' }] as const) {
    bot.react(({ path }) => (path === '/answers' ? answer : null));
    const told = next<string>((listener) => {
      logged = listener;
    });
    assert.partialDeepStrictEqual(await bot.happen(pressed('c1', 'yes')), [{ status: 200 }]);
    assert.partialDeepStrictEqual(JSON.parse(await told), {
      channel: channel.id,
      msg: 'a pressed button was not answered',
    });
  }
  assert.deepEqual(await payloadsIn(channel), ['yes']);
});

test('a provider that never answers delays neither its own call nor other presses', async (t) => {
  heldTimeouts(t);
  const bot = await startMax(t, { access_token: 'three' });
  const channel = await connect('Max', { access_token: 'three', api_root: bot.root });
  bot.react(({ query }) => (query.get('callback_id') === 'c1' ? 'hang' : null));
  assert.partialDeepStrictEqual(await bot.happen(pressed('c1', 'yes')), [{ status: 200 }]);
  await bot.called(({ query }) => query.get('callback_id') === 'c1');
  const answered = next(bot.answers.listen);
  assert.partialDeepStrictEqual(await bot.happen(pressed('c2', 'no')), [{ status: 200 }]);
  assert.partialDeepStrictEqual(await answered, { callback_id: 'c2' });
  assert.deepEqual(await payloadsIn(channel), ['yes', 'no']);
});

test('every press of a busy hour is answered, and not only the first ones', async (t) => {
  heldTimeouts(t);
  const bot = await startMax(t, { access_token: 'four' });
  await connect('Max', { access_token: 'four', api_root: bot.root });
  const failed = next<string>((listener) => {
    logged = listener;
  });
  // More than may be answered at the same time, ten by ten.
  for (let round = 0; round < 25; round += 1) {
    const ids = Array.from({ length: 10 }, (_, number) => `c${round}-${number}`);
    const open = new Set(ids);
    const all = new Promise<void>((resolve) =>
      bot.answers.listen(({ callback_id }) => {
        open.delete(callback_id);
        if (open.size === 0) resolve();
      }),
    );
    await Promise.all(ids.map((id) => bot.happen(pressed(id, 'yes'))));
    assert.equal(await Promise.race([all, failed]), undefined);
  }
});
