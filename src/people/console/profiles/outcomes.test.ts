import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { seedMailingMessages } from '../../../../test/mailing.ts';
import { signIn } from '../../../../test/person.ts';
import { answerWith } from '../../../../test/stand-ins/messenger.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId, messenger, key } = partner;
const olga = () => signIn(context, { projectId, role: 'operator', name: 'Olga' });
let { headers } = await olga();
const admin = await signIn(context, { projectId });
const ann = await partner.client('ann', { phone: '+12025550123' });
const bob = await partner.client('bob');

const hour = 3_600_000;
const set = (body: object) => call('PATCH', '/console/api/settings/', { headers: admin.headers, body });

async function mail(name: string, body: object = {}): Promise<string> {
  // Each is the latest.
  clock.advance(60_000);
  const filter_chats = { all: [] };
  const made = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name, text: name, filter_chats, ...body },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.uuid;
}

const outcomesOf = async (profile: string) => {
  const { status, body } = await call('GET', `/console/api/profiles/${profile}/outcomes/`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body.results;
};

/** The outcome for a client, once it is as expected. A wrong one ends with the time of the test. */
async function outcome(profile: string, uuid: string, code: string) {
  for (;;) {
    context.wake.wake('planning');
    const found = (await outcomesOf(profile)).find((one: { uuid: string }) => one.uuid === uuid);
    if (found?.code === code) return found;
    await new Promise(setImmediate);
  }
}

async function completed(mailing: string): Promise<void> {
  for (;;) {
    const { body } = await call('GET', `/api/partners/mailings/${mailing}/`, { headers: key });
    if (body.state === 'completed') return;
    clock.advance(1_000);
    context.wake.wake('planning');
    await new Promise(setImmediate);
  }
}

const limit = { timeout: 30_000 };

test(
  'sent, delivered and read messages are reported with their messenger and their time',
  limit,
  async () => {
    const mailing = await mail('News');
    const sent = await outcome(ann.profile, mailing, 'sent');
    assert.deepEqual([sent.title, sent.kind, sent.platform], ['News', 'mailing', 'API_Messenger']);
    const [message] =
      await sql`select id from messages where mailing_id = ${mailing} and chat_id = ${ann.chat}`;
    for (const state of ['delivered', 'read']) {
      clock.advance(1_000);
      await call('POST', `/channels/${partner.channel.id}/receipts/`, {
        headers: { authorization: `Bearer ${partner.channel.secret}` },
        body: { message: { uuid: message?.id }, state },
      });
      assert.equal((await outcome(ann.profile, mailing, state)).until, clock.now().toISOString());
    }
    await outcome(bob.profile, mailing, 'sent');
    await completed(mailing);
  },
);

test('a refusal is reported with the words of the provider', limit, async () => {
  messenger.behave(answerWith(422, {}, '{"detail": "Unknown recipient."}'));
  const mailing = await mail('Refused');
  const refused = await outcome(ann.profile, mailing, 'refused');
  assert.ok(refused.detail !== '' && refused.platform === 'API_Messenger');
  messenger.behave(answerWith(200));
});

test(
  'a client who got nothing has the reason: audience, chat, subscription, cap, quiet hours, stop',
  limit,
  async () => {
    const nobodys = await mail('Nobody', {
      filter_chats: { all: [{ type: 'attribute', username: 'nobody' }] },
    });
    await outcome(ann.profile, nobodys, 'not_in_audience');
    const list = await mail('List', {
      filter_chats: null,
      customer_filter_field: 'UUID',
      customer_filter_array: [ann.profile],
    });
    await outcome(bob.profile, list, 'not_in_audience');
    await outcome(ann.profile, list, 'sent');

    await sql`update mailings set content_type = 'TEMPLATE_WHATSAPP' where id = ${list}`;
    await outcome(bob.profile, list, 'no_chat');
    await sql`update mailings set content_type = 'TEXT' where id = ${list}`;

    await sql`update chats set unsubscribed_at = ${clock.now()} where id = ${bob.chat}`;
    const third = await mail('Third');
    await outcome(bob.profile, third, 'unsubscribed');
    await sql`update chats set unsubscribed_at = null where id = ${bob.chat}`;

    await sql`update chats set stopped_at = ${clock.now()} where id = ${bob.chat}`;
    const fourth = await mail('Fourth');
    await outcome(bob.profile, fourth, 'blocked');
    await sql`update chats set stopped_at = null where id = ${bob.chat}`;
    await completed(fourth);

    await set({ cap_messages: 1, cap_days: 7 });
    await outcome(ann.profile, await mail('Fifth'), 'over_cap');
    await set({ cap_messages: null, cap_days: null });

    const late = new Date(clock.now().getTime() + 9 * hour);
    const [from, until] = [clock.now(), late].map((at) => at.toISOString().slice(11, 16));
    await sql`update profiles set timezone = 'UTC' where id = ${ann.profile}`;
    await set({ quiet_from: from, quiet_until: until });
    const sixth = await mail('Sixth');
    const { until: told } = await outcome(ann.profile, sixth, 'quiet');
    assert.equal(told.slice(11, 16), until);
    await call('POST', `/api/partners/mailings/${sixth}/stop/`, { headers: key });
    assert.equal((await outcome(ann.profile, sixth, 'cancelled')).detail, 'The mailing was stopped.');
    await set({ quiet_from: null, quiet_until: null });
  },
);

test(
  'a client who came later was not known, and each client has one line for each mailing',
  limit,
  async () => {
    clock.advance(60_000);
    const cid = await partner.client('cid');
    const theirs = await outcomesOf(cid.profile);
    assert.ok(theirs.length > 5);
    assert.ok(theirs.every(({ code }: { code: string }) => code === 'later'));
    const all = await outcomesOf(ann.profile);
    const ids = all.map(({ uuid }: { uuid: string }) => uuid);
    assert.equal(new Set(ids).size, ids.length);
    const times = all.map(({ at }: { at: string }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
  },
);

test(
  'a client outside of the sample waits for its result, and one with a message has a variant',
  limit,
  async () => {
    const started = clock.now();
    const [waits, gets] = [context.newId(), context.newId()];
    for (const id of [waits, gets]) {
      await sql`
      insert into mailings (
        project_id, id, name, content_type, text, links, node_get_params, template_variables, has_identifiers, origin,
        created_at, state, stage, run, started_at, progress
      )
      values (
        ${projectId}, ${id}, 'Tested', 'TEXT', 'Hello', '{}', '[]', '{}', false, 'system', ${started}, 'in_process',
        'sending', 1, ${started}, '{"part": "sample"}'
      )`;
    }
    await seedMailingMessages(sql, projectId, gets, [{ chat: ann.chat, variant: 2, state: 'CANCELLED' }]);
    await sql`update messages set created_at = ${started} where mailing_id = ${gets}`;
    const waiting = await outcome(ann.profile, waits, 'awaits_test');
    assert.equal(waiting.variant, null);
    assert.equal((await outcome(ann.profile, gets, 'cancelled')).variant, 2);
  },
);

test('push messages are reported beside mailings, and what is older than 30 days is not', limit, async () => {
  const push = async (body: object) => {
    const made = await call('POST', '/api/partners/push-messages/', {
      headers: key,
      body: { chat: { uuid: ann.chat }, content: { type: 'TEXT', text: 'Your code' }, ...body },
    });
    return made.body.uuid;
  };
  const launch_at = new Date(clock.now().getTime() + 24 * hour);
  const uuid = await push({ launch_at: launch_at.toISOString() });
  const planned = await outcome(ann.profile, uuid, 'scheduled');
  assert.deepEqual(
    [planned.kind, planned.title, planned.until.slice(0, 16)],
    ['push', 'Your code', launch_at.toISOString().slice(0, 16)],
  );
  await outcome(ann.profile, await push({ campaign: { name: 'Codes' } }), 'sent');
  await call('POST', `/api/partners/push-messages/${uuid}/cancel/`, { headers: key });
  await outcome(ann.profile, uuid, 'cancelled');
  clock.advance(31 * 24 * hour);
  // The sign-in is over, too.
  ({ headers } = await olga());
  assert.deepEqual(await outcomesOf(ann.profile), []);
});
