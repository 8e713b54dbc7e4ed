import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { Sql } from '../../src/platform/database/database.ts';
import { type Answer, createPartner, startPatchbay } from '../harness.ts';
import { signIn } from '../person.ts';
import { seedProfile } from '../seed.ts';
import { isSomebodyWaiting, twoSessions } from '../waiting.ts';

/** Something is deleted while something else is made of it: one of the two is refused, and nothing fails. */

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId, key } = partner;
const { headers } = await signIn(context, { projectId });
const { chat } = await partner.client('ann');

/** The answer of a call that comes while a transaction has done something, and has not ended. */
async function askDuring(act: (on: Sql) => Promise<unknown>, ask: () => Promise<Answer>): Promise<Answer> {
  let isAnswered = false;
  let asking: Promise<Answer> | undefined;
  await sql.begin(async (transaction) => {
    await act(transaction);
    asking = ask().finally(() => {
      isAnswered = true;
    });
    while (!isAnswered && !(await isSomebodyWaiting(sql)));
  });
  if (!asking) throw new Error('nothing was asked');
  return await asking;
}

const mailing = (body: object) =>
  call('POST', '/api/partners/mailings/', { headers: key, body: { name: 'News', text: 'Hi', ...body } });

async function newTopic() {
  const name = randomUUID();
  const { body } = await call('POST', '/console/api/topics/', { headers, body: { name } });
  return { id: String(body.uuid), name };
}

async function newChannel() {
  const secret = randomUUID();
  const settings = { webhook_url: partner.messenger.url, secret };
  const { body } = await call('POST', '/console/api/channels/', {
    headers,
    body: { platform: 'API_Messenger', name: 'x', settings },
  });
  return { id: String(body.uuid), secret };
}

const remove = (kind: string, id: string) => call('DELETE', `/console/api/${kind}/${id}/`, { headers });

test('a mailing about a topic that is being deleted is refused', twoSessions, async () => {
  const { id, name } = await newTopic();
  const { status, body } = await askDuring(
    (on) => on`delete from topics where project_id = ${projectId} and id = ${id}`,
    () => mailing({ topic: name }),
  );
  assert.deepEqual([status, body], [400, { topic: ['The topic was deleted.'] }]);
});

test('a topic is not deleted while a mailing about it is being made', twoSessions, async () => {
  const { id } = await newTopic();
  const { body: draft } = await mailing({});
  const { status, body } = await askDuring(
    (on) => on`update mailings set topic_id = ${id} where project_id = ${projectId} and id = ${draft.uuid}`,
    () => remove('topics', id),
  );
  assert.deepEqual([status, body], [400, { detail: 'A mailing is about this topic.' }]);
});

test('of two deletions of a topic, the second finds nothing', twoSessions, async () => {
  const { id } = await newTopic();
  const { status } = await askDuring(
    (on) => on`delete from topics where project_id = ${projectId} and id = ${id}`,
    () => remove('topics', id),
  );
  assert.equal(status, 404);
});

test('a first message in a channel that is being deleted is not found', twoSessions, async () => {
  const { id, secret } = await newChannel();
  const { status } = await askDuring(
    async (on) => {
      await on`delete from channel_pace where channel_id = ${id}`;
      await on`delete from channels where project_id = ${projectId} and id = ${id}`;
    },
    () =>
      call('POST', `/channels/${id}/messages/`, {
        headers: { authorization: `Bearer ${secret}` },
        body: {
          chat: { external_id: 'bob', name: 'Bob' },
          message: { external_id: '1', type: 'text', text: 'Hi' },
        },
      }),
  );
  assert.equal(status, 404);
});

test('a channel is not deleted while its first client writes', twoSessions, async () => {
  const { id } = await newChannel();
  const { status, body } = await askDuring(
    (on) => on`update chats set channel_id = ${id} where project_id = ${projectId} and id = ${chat}`,
    () => remove('channels', id),
  );
  assert.equal(status, 400);
  assert.equal(body.detail, 'A channel with chats cannot be deleted. Pause it instead.');
});

test('a client who is being merged into another one does not become a colleague', twoSessions, async () => {
  const id = await seedProfile(sql, projectId, {});
  const { status } = await askDuring(
    (on) => on`delete from profiles where project_id = ${projectId} and id = ${id}`,
    () => call('PUT', `/console/api/mailings/colleagues/${id}/`, { headers }),
  );
  assert.equal(status, 404);
});
