import { linkTokens } from '../../src/mailings/link-token.ts';
import { unsubscribeTokens } from '../../src/messaging/chats/unsubscribe-token.ts';
import type { Patchbay } from '../harness.ts';
import { seedMailingMessages } from '../mailing.ts';
import { ask } from './ask.ts';
import type { Furnished } from './furnish.ts';
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
  const linkToken = linkTokens(config.secretKey).make({ projectId, messageId, index: 0 });
  const leavingToken = unsubscribeTokens(config.secretKey).make({ projectId, chatId });
  const draft = await ask(
    { context, ...patchbay },
    'POST',
    '/api/partners/mailings/',
    { 'bot-key': botKey },
    { name: `draft-${name}` },
  );
  return { mailingId, draftId: String(draft.uuid), linkToken, leavingToken };
}

/** Mailings in the far future, which together have every field. */
export function mailingBodies(own: Furnished): object[] {
  const { name } = own;
  const later = { name: 'Sale', planned_at: '2099-01-01T00:00:00Z' };
  return [
    { ...later, content_type: 'TEXT', text: 'hello', regular_cron: '0 12 * * *' },
    {
      ...later,
      template_whatsapp: `template-${name}`,
      template_variables: { order: { type: 'GLOBAL', value: 'seven' } },
      content_type: 'MIXED',
      node_name: `scenario-${name}`,
      node_get_params: [{ name: 'city', value: 'Oslo', type: 'string' }],
      customer_filter_field: 'UUID',
      customer_filter_array: [own.profileId],
      customer_filter_file: 'https://shop.test/clients.csv',
      phone_numbers_file: 'https://shop.test/phones.xlsx',
      filter_chats: {
        all: [
          { type: 'attribute', uuid: own.chatId },
          { type: 'profile_attribute', external_id: own.profileExternalId },
          { type: 'profile_tag', tag: `tag-${name}` },
        ],
      },
      origin: 'chat_center',
    },
    { ...later, node: own.scenarioId },
  ];
}

export function mailingProbes(own: Furnished): Probe[] {
  const key = { 'bot-key': own.botKey };
  const one = { uuid: own.mailingId };
  return [
    ...mailingBodies(own).map((body) => probe('POST /api/partners/mailings/', key, { body })),
    probe('GET /api/partners/mailings/', key, { query: { limit: '10', offset: '0' } }),
    probe('GET /api/partners/mailings/:uuid/', key, { params: one }),
    probe('POST /api/partners/mailings/:uuid/calculate/', key, { params: one }),
    probe('POST /api/partners/mailings/:uuid/stop/', key, { params: one }),
    probe('GET /l/:token/', {}, { params: { token: own.linkToken } }),
    probe('GET /u/:token/', {}, { params: { token: own.leavingToken } }),
    probe('POST /u/:token/', {}, { params: { token: own.leavingToken }, body: { again: '1' } }),
  ];
}
