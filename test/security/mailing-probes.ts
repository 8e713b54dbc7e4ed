import { randomUUID } from 'node:crypto';
import { insertAudience } from '../../src/clients/audiences/store.ts';
import { linkTokens } from '../../src/mailings/link-token.ts';
import { unsubscribeTokens } from '../../src/messaging/chats/unsubscribe-token.ts';
import type { Patchbay } from '../harness.ts';
import { seedMailingMessages, textVariant } from '../mailing.ts';
import { ask } from './ask.ts';
import type { Furnished } from './furnish.ts';
import { mailingBodies } from './mailing-bodies.ts';
import { type Probe, probe } from './probe.ts';

type Addressed = {
  name: string;
  projectId: string;
  botKey: string;
  chatId: string;
  profileExternalId: string;
  spareProfileId: string;
};

/** A mailing in the far future that still has one sent message, one failed message, and one problem line. */
export async function addMailing(
  { context, ...patchbay }: Patchbay,
  { name, projectId, botKey, chatId, profileExternalId, spareProfileId }: Addressed,
) {
  const mailing = await ask(
    { context, ...patchbay },
    'POST',
    '/api/partners/mailings/',
    { 'bot-key': botKey },
    {
      name: `mailing-${name}`,
      text: `hush-${name} mailing https://shop.test/hush-${name}`,
      customer_filter_field: 'EXTERNAL_ID',
      customer_filter_array: [profileExternalId],
      planned_at: '2099-01-01T00:00:00Z',
    },
  );
  const mailingId = String(mailing.uuid);
  const { sql, config } = context;
  const [spare] = await sql<[{ chat: string }]>`
    select id as chat from chats where project_id = ${projectId} and profile_id = ${spareProfileId} limit 1`;
  const [messageId = ''] = await seedMailingMessages(sql, projectId, mailingId, [
    { chat: chatId, due_at: new Date('2099-01-01') },
    { chat: spare.chat, state: 'UNDELIVERED' },
  ]);
  await sql`update mailings set run = 1, started_at = '2026-01-01' where id = ${mailingId}`;
  await sql`
    insert into mailing_problems (project_id, mailing_id, run, list, line, identifier, reason)
    values (${projectId}, ${mailingId}, 1, 'array', 2, ${`nobody-${name}`}, 'There is no such client.')`;
  await sql`
    insert into mailing_runs (project_id, mailing_id, run, started_at, planned, sent, undelivered, cancelled)
    values (${projectId}, ${mailingId}, 1, '2026-01-01', 0, 0, 0, 0)`;
  await sql`
    insert into mailing_waits (project_id, mailing_id, until, messages)
    values (${projectId}, ${mailingId}, '2099-01-01', 1)`;
  await sql`
    insert into mailing_overrides (project_id, mailing_id, id, quiet_hours, cap, reason, author_id, created_at)
    values (${projectId}, ${mailingId}, ${mailingId}, true, false, ${`hush-${name} recall`}, ${spareProfileId},
      '2026-01-01')`;
  await sql`
    insert into arriving_lists (project_id, id, begun_at) values (${projectId}, ${randomUUID()}, ${context.clock.now()})`;
  await sql`insert into colleagues (project_id, profile_id) values (${projectId}, ${spareProfileId})`;
  await sql`
    insert into mailing_tests (project_id, digest, author_id, author_name, created_at)
    values (${projectId}, '\\x00', ${spareProfileId}, ${`hush-${name} tester`}, '2026-01-01')`;
  await sql`
    insert into mailing_test_pushes (project_id, digest, variant, push_id)
    values (${projectId}, '\\x00', 1, ${messageId})`;
  await sql`
    insert into conversions (
      project_id, id, key, profile_id, mailing_id, message_id, name, happened_at, created_at
    )
    values (${projectId}, ${mailingId}, ${`order-${name}`}, ${spareProfileId}, ${mailingId}, ${messageId},
      ${`hush-${name} order`},
      '2026-01-01', '2026-01-01')`;
  const [topicId, spareTopicId, suppressionId] = [randomUUID(), randomUUID(), randomUUID()];
  await sql`
    insert into topics (project_id, id, name, description, words, created_at)
    select ${projectId}, id, ${`hush-${name} topic `} || place, '', '{}', '2026-01-01'
    from unnest(${[topicId, spareTopicId]}::uuid[]) with ordinality as topic (id, place)`;
  await sql`
    insert into suppressions (project_id, id, address, platform, added_at, way)
    values (${projectId}, ${suppressionId}, ${`hush-${name} address`}, 'Telegram', '2026-01-01', 'operator')`;
  const [audienceId, spareAudienceId] = await addAudiences(context, projectId, name);
  const linkToken = linkTokens(config.secretKey).make({ projectId, messageId, index: 0 });
  const leavingToken = unsubscribeTokens(config.secretKey).make({ projectId, chatId, topicId: null });
  const draft = await ask(
    { context, ...patchbay },
    'POST',
    '/api/partners/mailings/',
    { 'bot-key': botKey },
    { name: `draft-${name}` },
  );
  const heldId = await holdMailing({ context, ...patchbay }, { name, projectId, botKey, spareProfileId });
  const testId = await addAbTest({ context, ...patchbay }, { name, projectId, botKey });
  return {
    mailingId,
    draftId: String(draft.uuid),
    heldId,
    testId,
    linkToken,
    leavingToken,
    topicId,
    spareTopicId,
    suppressionId,
    audienceId,
    spareAudienceId,
  };
}

/** A mailing in the far future that waits for approval. */
async function holdMailing(
  { context, ...patchbay }: Patchbay,
  {
    name,
    projectId,
    botKey,
    spareProfileId,
  }: Pick<Addressed, 'name' | 'projectId' | 'botKey' | 'spareProfileId'>,
): Promise<string> {
  const { uuid } = await ask(
    { context, ...patchbay },
    'POST',
    '/api/partners/mailings/',
    { 'bot-key': botKey },
    { name: `held-${name}`, text: 'Held', filter_chats: { all: [] }, planned_at: '2099-01-01T00:00:00Z' },
  );
  const { sql } = context;
  await sql`
    update mailings set approval = 'awaited', author_id = ${spareProfileId}, due_at = null where id = ${String(uuid)}`;
  await sql`
    insert into mailing_approvals (project_id, mailing_id, id, kind, revision, author_id, author_name, created_at)
    values (${projectId}, ${String(uuid)}, ${String(uuid)}, 'asked', 0, ${spareProfileId}, ${`hush-${name} asker`},
      '2026-01-01')`;
  await sql`
    insert into mailing_approvers (project_id, mailing_id, operator_id, asked_at)
    select ${projectId}, ${String(uuid)}, id, '2026-01-01' from operators where project_id = ${projectId} limit 1`;
  return String(uuid);
}

/** A mailing to nobody whose A/B test waits for a person. */
async function addAbTest(
  { context, ...patchbay }: Patchbay,
  { name, projectId, botKey }: Pick<Addressed, 'name' | 'projectId' | 'botKey'>,
): Promise<string> {
  const { uuid } = await ask(
    { context, ...patchbay },
    'POST',
    '/api/partners/mailings/',
    { 'bot-key': botKey },
    {
      name: `test-${name}`,
      text: `hush-${name} first`,
      customer_filter_field: 'EXTERNAL_ID',
      customer_filter_array: [],
      planned_at: '2099-01-01T00:00:00Z',
    },
  );
  const id = String(uuid);
  const { sql } = context;
  const other = textVariant(50, `hush-${name} other`);
  const sample = { percent: 20, measure: 'read', wait_minutes: 60, otherwise: 'ask' };
  await sql`
    update mailings set state = 'in_process', stage = 'sending', run = 1, started_at = '2026-01-01', due_at = null,
      ab_test = ${sql.json({ variants: [other], sample })}, progress = '{"part": "sample", "decide_at": 1}'
    where project_id = ${projectId} and id = ${id}`;
  await sql`
    insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders)
    values (${projectId}, ${id}, '2026-01-01', '[]', '{1,2}')`;
  return id;
}

/** One for mailings, and one that nothing names. */
async function addAudiences(
  { sql, newId, clock }: Patchbay['context'],
  projectId: string,
  name: string,
): Promise<[string, string]> {
  const ids: [string, string] = [newId(), newId()];
  for (const [index, id] of ids.entries()) {
    await insertAudience(sql, projectId, {
      id,
      name: `${index === 0 ? '' : 'spare-'}audience-${name}`,
      filter: { all: [{ type: 'profile_tag', tag: `hush-${name} tag` }] },
      authorId: newId(),
      authorName: `hush-${name} author`,
      now: clock.now(),
    });
  }
  await sql`
    insert into audience_days (project_id, audience_id, day, size, came, gone, cursor, ended_at)
    values (${projectId}, ${ids[0]}, '2026-01-01', 1, 1, 0, ${newId()}, '2026-01-01')`;
  await sql`
    insert into audience_members (project_id, audience_id, profile_id)
    values (${projectId}, ${ids[0]}, ${newId()})`;
  return ids;
}

/** Reports of conversions, which together have every field. */
const conversionBodies = (own: Furnished): object[] =>
  [
    { chat: { uuid: own.chatId }, profile: { uuid: own.profileId } },
    { chat: { telegram_id: own.telegramId } },
    { chat: { telegram_username: `telegram_${own.name}` } },
    { chat: { vkontakte_id: Number(own.other('Vkontakte').address) } },
    { chat: { max_id: Number(own.other('Max').address) } },
    { profile: { external_id: own.profileExternalId } },
    { profile: { phone_number: own.phone } },
  ].map((client) => ({
    ...client,
    key: `order-${own.name} ${Object.keys({ ...client.chat, ...client.profile }).join()}`,
    name: 'order',
    happened_at: '2026-01-01T00:00:00Z',
  }));

export function mailingProbes(own: Furnished): Probe[] {
  const key = { 'bot-key': own.botKey };
  const one = { uuid: own.mailingId };
  return [
    ...mailingBodies(own).map((body) => probe('POST /api/partners/mailings/', key, { body })),
    probe('GET /api/partners/mailings/', key, { query: { limit: '10', offset: '0' } }),
    probe('GET /api/partners/mailings/:uuid/', key, { params: one }),
    probe('GET /api/partners/mailings/:uuid/ab-test/', key, { params: { uuid: own.testId } }),
    probe('POST /api/partners/mailings/:uuid/calculate/', key, { params: one }),
    probe('POST /api/partners/mailings/:uuid/stop/', key, { params: one }),
    ...conversionBodies(own).map((body) => probe('POST /api/partners/conversions/', key, { body })),
    probe('GET /l/:token/', {}, { params: { token: own.linkToken } }),
    probe('GET /u/:token/', {}, { params: { token: own.leavingToken } }),
    probe('POST /u/:token/', {}, { params: { token: own.leavingToken }, body: { again: '1' } }),
  ];
}
