import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, type Partner, startPatchbay } from '../../../test/harness.ts';
import { answerWith, startMessenger as startReceiver } from '../../../test/stand-ins/messenger.ts';
import { receiveEvents } from '../chats/receive.ts';

const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const content = { type: 'TEXT', text: 'Hello' };
const hourMs = 3_600_000;

// biome-ignore lint/suspicious/noExplicitAny: tests look into events freely.
type Told = { event_type: string; payload: any; timestamp: number };

/** A partner with a client, and a webhook receiver for the events. */
async function scene(t: TestContext, settings: object = {}) {
  const partner = await createPartner(t, patchbay);
  const receiver = await startReceiver(t);
  const { status } = await call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: {
      webhook_url: receiver.url,
      webhook_events: ['stream.status', 'stream.reaction', 'message_created'],
      ...settings,
    },
  });
  assert.equal(status, 200);
  const { chat, profile } = await partner.client('ann');
  const told = async (count: number): Promise<Told[]> =>
    // The first delivery is the probe, and the second the client's first message.
    (await receiver.received(count + 2)).slice(2, count + 2).map(({ body }) => body);
  return { partner, chat, profile, told, ...as(partner) };
}

/** The actions of a partner and their clients. */
function as(partner: Partner) {
  let written = 0;
  const channel = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${partner.channel.secret}` };
    const answer = await call('POST', `/channels/${partner.channel.id}/${path}/`, { headers, body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  return {
    stream: async (payload: object): Promise<string> => {
      const { status, body } = await call('POST', '/api/partners/stream/', {
        headers: partner.token,
        body: { type: 'priority_message', payload: { content, ...payload } },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return body.uuid;
    },
    write: (message: object = {}) => {
      written += 1;
      return channel('messages', {
        chat: { external_id: 'ann' },
        message: { external_id: `m${written}`, type: 'text', text: 'Yes', ...message },
      });
    },
    receipt: (uuid: string, state: string) => channel('receipts', { message: { uuid }, state }),
  };
}

const statuses = (events: Told[]): [uuid: string, state: string][] =>
  events.map(({ event_type, payload }) => {
    assert.equal(event_type, 'stream.status');
    return [payload.uuid, payload.message.state];
  });

/** An event as a line that is easy to compare. */
const line = ({ event_type, payload }: Told): string => {
  switch (event_type) {
    case 'stream.status':
      return `${payload.message.state} ${payload.uuid}`;
    case 'stream.reaction':
      return `${payload.type} ${payload.stream.uuid}`;
    default:
      return payload.message.text ?? payload.message.payload;
  }
};

test('every state is announced, and the reading also as a reaction', async (t) => {
  const { partner, chat, profile, told, stream, receipt } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } });
  const [sent] = await told(1);
  assert.deepEqual(sent, {
    event_type: 'stream.status',
    payload: {
      uuid,
      chat: { uuid: chat, platform: 'API_Messenger', name: 'ann', phone: null, avatar: null },
      profile: { uuid: profile },
      message: { uuid, state: 'sent' },
    },
    timestamp: clock.now().getTime(),
  });
  assert.equal(partner.messenger.deliveries[0]?.body.payload.message.uuid, uuid);

  await receipt(uuid, 'delivered');
  await receipt(uuid, 'read');
  await receipt(uuid, 'read');
  await receipt(uuid, 'delivered');
  const next = await stream({ chat: { uuid: chat } });
  const [, , , reaction, ...rest] = await told(5);
  assert.deepEqual(reaction, {
    event_type: 'stream.reaction',
    payload: {
      uuid: reaction?.payload.uuid,
      stream: { uuid },
      chat: { uuid: chat, platform: 'API_Messenger' },
      type: 'READ',
    },
    timestamp: clock.now().getTime(),
  });
  assert.deepEqual((await told(5)).map(line), [
    `sent ${uuid}`,
    `delivered ${uuid}`,
    `read ${uuid}`,
    `READ ${uuid}`,
    `sent ${next}`,
  ]);
  assert.equal(rest.length, 1);
});

test('a reaction and its event have the same uuid', async (t) => {
  const { chat, told, stream, receipt } = await scene(t);
  await receipt(await stream({ chat: { uuid: chat } }).then(sentBefore(told)), 'read');
  const reaction = (await told(3))[2];
  const [row] = await context.sql`select event_type from events where id = ${reaction?.payload.uuid}`;
  assert.equal(row?.event_type, 'stream.reaction');
});

/** Waits until a task is announced as sent. */
const sentBefore =
  (told: (count: number) => Promise<Told[]>) =>
  async (uuid: string): Promise<string> => {
    for (let count = 1; ; count += 1) {
      if (line((await told(count))[count - 1] ?? assert.fail()) === `sent ${uuid}`) return uuid;
    }
  };

const refusals: [status: number, state: string][] = [
  [422, 'undelivered'],
  [401, 'error'],
];

for (const [status, state] of refusals) {
  test(`the provider answer ${status} is announced as ${state}`, async (t) => {
    const { partner, chat, told, stream } = await scene(t);
    partner.messenger.behave(answerWith(status));
    const uuid = await stream({ chat: { uuid: chat } });
    assert.deepEqual(statuses(await told(1)), [[uuid, state]]);
  });
}

test('a finally undeliverable task is announced', async (t) => {
  const { chat, told, stream, receipt } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await receipt(uuid, 'undelivered');
  assert.deepEqual((await told(2)).map(line), [`sent ${uuid}`, `undelivered ${uuid}`]);
});

test('an unknown recipient is announced as undelivered, on an endpoint for any platforms', async (t) => {
  const partner = await createPartner(t, patchbay);
  const receiver = await startReceiver(t);
  await call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: receiver.url, webhook_platforms: ['Telegram'] },
  });
  const uuid = await as(partner).stream({ chat: { uuid: unknown } });
  const [, event] = await receiver.received(2);
  assert.deepEqual(event?.body, {
    event_type: 'stream.status',
    payload: {
      uuid,
      chat: { uuid: null, platform: null, name: null, phone: null, avatar: null },
      profile: { uuid: null },
      message: { uuid, state: 'undelivered' },
    },
    timestamp: clock.now().getTime(),
  });
});

test('events about one unknown recipient do not wait for those about another', async (t) => {
  const partner = await createPartner(t, patchbay);
  const receiver = await startReceiver(t);
  await call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: receiver.url },
  });
  receiver.behave(answerWith(500));
  await as(partner).stream({ chat: { uuid: unknown } });
  await receiver.received(2);
  receiver.behave(answerWith(200));
  const uuid = await as(partner).stream({ chat: { uuid: unknown } });
  assert.equal((await receiver.received(3))[2]?.body.payload.uuid, uuid);
});

test('an unreachable profile is named in the event', async (t) => {
  const { profile, told, stream } = await scene(t);
  const uuid = await stream({ profile: { uuid: profile }, content: { type: 'WHATSAPP_TEXT', text: 'x' } });
  const [event] = await told(1);
  assert.deepEqual(event?.payload.profile, { uuid: profile });
  assert.deepEqual(statuses(await told(1)), [[uuid, 'undelivered']]);
});

test('an open operator session makes a task undelivered, unless it is forced', async (t) => {
  const { partner, chat, told, stream } = await scene(t);
  await call('POST', '/api/partners/connector/', {
    headers: partner.token,
    body: {
      event: 'message_created',
      chat: { uuid: chat },
      sender: { name: 'Olga' },
      timestamp: clock.now().getTime(),
      message: { type: 'text', text: 'How can I help?' },
    },
  });
  const held = await stream({ chat: { uuid: chat } });
  assert.deepEqual(statuses(await told(1)), [[held, 'undelivered']]);
  const forced = await stream({ chat: { uuid: chat }, is_force: true });
  assert.deepEqual((await told(2)).map(line)[1], `sent ${forced}`);
});

test('a cancelled task is announced', async (t) => {
  const { partner, chat, told, stream } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat }, launch_at: '2099-01-01T00:00:00Z' });
  const cancel = () => call('POST', `/api/partners/push-messages/${uuid}/cancel/`, { headers: partner.key });
  assert.equal((await cancel()).status, 204);
  assert.equal((await cancel()).status, 400);
  const next = await stream({ chat: { uuid: chat } });
  assert.deepEqual((await told(2)).map(line), [`cancelled ${uuid}`, `sent ${next}`]);
});

test('the client’s next message is a reply, and the one after it is not', async (t) => {
  const { chat, told, stream, write } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  clock.advance(hourMs / 2);
  await write({ text: 'first' });
  await write({ text: 'second' });
  await write({ text: 'third' });
  assert.deepEqual((await told(5)).map(line), [`sent ${uuid}`, 'first', `REPLY ${uuid}`, 'second', 'third']);
  assert.deepEqual((await told(3))[2]?.payload.chat, { uuid: chat, platform: 'API_Messenger' });
});

test('a message after exactly 72 hours is a reply, and a later one is not', async (t) => {
  const { partner, chat, told, stream, write } = await scene(t);
  const early = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  clock.advance(1);
  const late = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  clock.advance(72 * hourMs);
  await write({ text: 'first' });
  await write({ text: 'second' });
  assert.deepEqual((await told(5)).map(line), [
    `sent ${early}`,
    `sent ${late}`,
    'first',
    `REPLY ${late}`,
    'second',
  ]);
  assert.equal(partner.messenger.deliveries.length, 2);
});

test('a reply is to everything that was sent without a reply', async (t) => {
  const { chat, told, stream, write } = await scene(t);
  const one = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await write({ text: 'first' });
  const two = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  const three = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  const later = await stream({ chat: { uuid: chat }, launch_at: '2099-01-01T00:00:00Z' });
  await write({ text: 'second' });
  await write({ text: 'third' });
  const lines = (await told(9)).map(line);
  assert.deepEqual(lines.slice(0, 6), [
    `sent ${one}`,
    'first',
    `REPLY ${one}`,
    `sent ${two}`,
    `sent ${three}`,
    'second',
  ]);
  assert.deepEqual(lines.slice(6, 8).sort(), [`REPLY ${two}`, `REPLY ${three}`].sort());
  assert.equal(lines[8], 'third');
  assert.ok(!lines.join().includes(later));
});

test('another client’s message is no reply', async (t) => {
  const { partner, chat, told, stream } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await partner.client('bob');
  const next = await stream({ chat: { uuid: chat } });
  const lines = (await told(3)).map(line);
  assert.deepEqual(
    lines.filter((told) => told !== 'Hi'),
    [`sent ${uuid}`, `sent ${next}`],
  );
});

test('a reply before the provider’s answer counts', async (t) => {
  const { partner, chat, told, stream, write } = await scene(t);
  let answer = (): void => assert.fail('the provider was not called');
  partner.messenger.behave((delivery, response) => {
    answer = () => answerWith(200)(delivery, response);
  });
  const uuid = await stream({ chat: { uuid: chat } });
  await partner.messenger.received(1);
  await write({ text: 'first' });
  await told(2);
  answer();
  assert.deepEqual((await told(3)).map(line), ['first', `REPLY ${uuid}`, `sent ${uuid}`]);
});

test('many concurrent messages make one reply', async (t) => {
  const { chat, told, stream, write } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await Promise.all(Array.from({ length: 10 }, () => write()));
  await write({ text: 'last' });
  const lines = (await told(13)).map(line);
  assert.deepEqual(
    lines.filter((told) => told.startsWith('REPLY')),
    [`REPLY ${uuid}`],
  );
  assert.equal(lines.at(-1), 'last');
});

test('a repeated message of the client is no second reply', async (t) => {
  const { chat, told, stream, write } = await scene(t);
  const one = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await write({ external_id: 'same', text: 'first' });
  const two = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await write({ external_id: 'same', text: 'first' });
  await write({ text: 'second' });
  assert.deepEqual((await told(6)).map(line), [
    `sent ${one}`,
    'first',
    `REPLY ${one}`,
    `sent ${two}`,
    'second',
    `REPLY ${two}`,
  ]);
});

/** Adds buttons to a sent message: the push API has none. */
const addButtons = (uuid: string, ...buttons: object[]) =>
  context.sql`
    update messages set content = content || ${context.sql.json({ buttons: JSON.parse(JSON.stringify(buttons)) })}
    where id = ${uuid}`;

const press = (payload: string | null, text = 'Label') => ({ type: 'button', payload, text });

test('a pressed button is a click, once, and no reply', async (t) => {
  const { chat, told, stream, write } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await addButtons(uuid, { text: 'Yes', payload: 'yes' }, { text: 'No', payload: 'no' });
  await write(press('yes'));
  await write(press('no'));
  await write({ text: 'first' });
  assert.deepEqual((await told(6)).map(line), [
    `sent ${uuid}`,
    'Label',
    `CLICK ${uuid}`,
    'Label',
    'first',
    `REPLY ${uuid}`,
  ]);
});

test('a button without a payload is recognized by its label', async (t) => {
  const { chat, told, stream, write } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await addButtons(uuid, { text: 'Yes' });
  await write(press(null, 'Yes'));
  assert.deepEqual((await told(3)).map(line), [`sent ${uuid}`, 'Yes', `CLICK ${uuid}`]);
});

test('a press that names its message is a click of that one, and its buttons need not be known', async (t) => {
  const { partner, chat, told, stream } = await scene(t);
  const one = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  const two = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  const push = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content },
  });
  await addButtons(two, { text: 'Yes' });
  for (const uuid of [one, two, push.body.uuid]) {
    await context.sql`update messages set provider_id = ${`out.${uuid}`} where id = ${uuid}`;
  }
  const channel = {
    ...partner.channel,
    projectId: partner.projectId,
    platform: 'API_Messenger' as const,
    name: '',
  };
  const pressIn = (externalId: string, pressedIn: string) => {
    const message = { externalId, type: 'button' as const, text: 'Yes', url: null, payload: null, pressedIn };
    return receiveEvents(context, channel, [{ kind: 'message', chat: { externalId: 'ann' }, message }]);
  };
  await pressIn('p1', `out.${one}`);
  await pressIn('p2', `out.${push.body.uuid}`);
  await pressIn('p3', 'unknown');
  const lines = (await told(7)).map(line).filter((line) => line.startsWith('CLICK'));
  assert.deepEqual(lines, [`CLICK ${one}`, `CLICK ${two}`]);
});

test('of several messages with the same button the last one is meant', async (t) => {
  const { chat, told, stream, write } = await scene(t);
  const one = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  clock.advance(1000);
  const two = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  for (const uuid of [one, two]) await addButtons(uuid, { text: 'Yes', payload: 'yes' });
  await write(press('yes'));
  assert.deepEqual((await told(4)).map(line).slice(2), ['Label', `CLICK ${two}`]);
});

test('other buttons, and those of a later message outside the stream, are no clicks', async (t) => {
  const { partner, chat, told, stream, write } = await scene(t);
  const uuid = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await addButtons(uuid, { text: 'Yes', payload: 'yes' });
  await write(press('no'));
  clock.advance(1000);
  const push = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content },
  });
  await addButtons(push.body.uuid, { text: 'Yes', payload: 'yes' });
  const next = await stream({ chat: { uuid: chat } }).then(sentBefore(told));
  await write(press('yes'));
  await write({ text: 'last' });
  const lines = (await told(7)).map(line);
  assert.deepEqual(lines.slice(0, 5), [`sent ${uuid}`, 'Label', `sent ${next}`, 'Label', 'last']);
  assert.deepEqual(
    lines.filter((told) => told.startsWith('CLICK')),
    [],
  );
});

test('a push message has neither stream statuses nor stream reactions', async (t) => {
  const { partner, chat, told, stream, write, receipt } = await scene(t);
  const push = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content },
  });
  await partner.messenger.received(1);
  await receipt(push.body.uuid, 'read');
  await write({ text: 'first' });
  const uuid = await stream({ chat: { uuid: chat } });
  assert.deepEqual((await told(2)).map(line), ['first', `sent ${uuid}`]);
});

test('an endpoint with all events gets the message’s states in both ways', async (t) => {
  const { chat, told, stream } = await scene(t, { webhook_events: [] });
  const uuid = await stream({ chat: { uuid: chat } });
  const events = await told(2);
  assert.deepEqual(
    events.map(({ event_type, payload }) => [event_type, payload.message.uuid]),
    [
      ['message_updated', uuid],
      ['stream.status', uuid],
    ],
  );
});

test('the regular lane moves while priority keeps coming', async (t) => {
  const { partner, chat, stream } = await scene(t);
  await context.sql`update channels set state = 'paused' where id = ${partner.channel.id}`;
  const { body } = await call('POST', '/api/partners/stream/', {
    headers: partner.token,
    body: { type: 'regular_message', payload: { chat: { uuid: chat }, content } },
  });
  for (let n = 0; n < 19; n += 1) await stream({ chat: { uuid: chat } });
  // One place at a time: the tenth is the regular message’s, though priority messages still wait.
  await context.sql`
    update channel_pace set rate = 10, tokens = 0, tokens_at = ${clock.now()} where channel_id = ${partner.channel.id}`;
  await context.sql`update channels set state = 'active' where id = ${partner.channel.id}`;
  for (let n = 1; n <= 10; n += 1) {
    clock.advance(100);
    context.wake.wake('sending');
    await partner.messenger.received(n);
  }
  const order = partner.messenger.deliveries.map(({ body }) => body.payload.message.uuid);
  assert.equal(order.indexOf(body.uuid), 9);
});
