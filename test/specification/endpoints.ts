import type { Scene } from './scene.ts';
import { redirectUri } from './scene.ts';

/** A row of the contract's table of endpoints, and of the tables of profiles and promo codes. */
export type Endpoint = {
  /** In the words of the contract. */
  name: string;
  auth: 'none' | 'OAuth' | 'key or OAuth';
  /** A valid request. Its objects are made anew for every call. */
  request: (scene: Scene) => Promise<{ path?: string; body?: unknown }>;
  success: number;
  /** Fields of the answer, dotted. Those of a page's first item follow `results.`. */
  fields: string[];
};

const api = '/api/partners';

const pushFields = [
  'uuid',
  'chat.uuid',
  'chat.platform',
  'state.code',
  'state.detail',
  'content.type',
  'content.text',
  'launch_at',
  'created_at',
  'sent_at',
  'delivered_at',
  'read_at',
];

const statistics = [
  'count_planned',
  'count_sent',
  'count_delivered',
  'count_undelivered',
  'count_read',
  'count_clicked',
  'count_jumped_url',
  'count_replied',
  'count_platforms',
].map((name) => `statistics.${name}`);

const mailingFields = [
  'uuid',
  'name',
  'state',
  'filter_chats',
  'content_type',
  'source_type',
  'text',
  'node',
  'node_name',
  'node_get_params',
  'origin',
  ...statistics,
  'regular_cron',
  'created_at',
  'planned_at',
  'completed_at',
  'duration',
  'template_whatsapp',
  'template_variables',
  'phone_numbers_file',
  'customer_filter_file',
  'customer_filter_field',
];

const profileFields = [
  'uuid',
  'external_id',
  'phone_number',
  'email',
  'name',
  'timezone',
  'pda_agreed',
  'tags',
  'attrs',
  'chats',
  'created_at',
  'updated_at',
];

const auditFields = ['uuid', 'profile.uuid', 'action', 'changes', 'actor.type', 'actor.name', 'timestamp'];

const codeFields = [
  'uuid',
  'code',
  'status',
  'group.uuid',
  'group.name',
  'issued_chat',
  'issued_at',
  'expires_at',
  'created_at',
  'updated_at',
];

const page = (fields: string[]): string[] => [
  'count',
  'next',
  'previous',
  ...fields.map((field) => `results.0.${field}`),
];

const none = async () => ({});

const row = (
  name: string,
  auth: Endpoint['auth'],
  success: number,
  fields: string[],
  request: Endpoint['request'] = none,
): Endpoint => ({ name, auth, success, fields, request });

const withKey = (name: string, success: number, fields: string[], request?: Endpoint['request']): Endpoint =>
  row(name, 'key or OAuth', success, fields, request);

export const endpoints: Endpoint[] = [
  row(
    `POST ${api}/oauth/`,
    'none',
    200,
    ['access_token', 'refresh_token', 'token_type', 'expires_in'],
    async ({ application, oauthCode }) => ({
      body: {
        client_id: application.clientId,
        client_secret: application.clientSecret,
        grant_type: 'code',
        code: await oauthCode(),
        redirect_uri: redirectUri,
      },
    }),
  ),
  row(
    `POST ${api}/connector/`,
    'OAuth',
    200,
    ['status', 'chat_uuid', 'profile_uuid', 'message_uuid', 'external_id'],
    async ({ client, clock }) => ({
      body: {
        event: 'message_created',
        chat: { uuid: client.chat },
        sender: { name: 'Olga' },
        timestamp: clock.now().getTime(),
        message: { type: 'text', text: 'Hi' },
      },
    }),
  ),
  row(`POST ${api}/iframe/`, 'OAuth', 201, ['url', 'expired_at'], async ({ client }) => ({
    body: { operator: { email: 'olga@shop.test' }, profile: { uuid: client.profile } },
  })),
  row(
    `PUT ${api}/integrations/credentials/`,
    'OAuth',
    200,
    ['webhook_url', 'webhook_events', 'webhook_platforms'],
    async ({ webhookUrl }) => ({ body: { webhook_url: webhookUrl } }),
  ),
  row(`DELETE ${api}/integrations/credentials/`, 'OAuth', 204, []),
  row(`POST ${api}/stream/`, 'OAuth', 201, ['uuid'], async ({ client }) => ({
    body: {
      type: 'regular_message',
      payload: { chat: { uuid: client.chat }, content: { type: 'TEXT', text: 'Hi' } },
    },
  })),
  withKey(`POST ${api}/push-messages/`, 201, pushFields, async ({ client }) => ({
    body: { chat: { uuid: client.chat }, content: { type: 'TEXT', text: 'Hi' } },
  })),
  withKey(`GET ${api}/push-messages/{uuid}/`, 200, pushFields, async ({ push }) => ({ path: await push() })),
  withKey(`POST ${api}/push-messages/{uuid}/cancel/`, 204, [], async ({ later }) => ({
    path: await later(),
  })),
  withKey(`GET ${api}/push-messages/`, 200, page(pushFields)),
  withKey(`GET ${api}/mailings/`, 200, page(mailingFields), async ({ mailing }) => {
    await mailing();
    return {};
  }),
  withKey(`POST ${api}/mailings/`, 201, mailingFields, async () => ({
    body: { name: 'News', content_type: 'TEXT', text: 'Hi' },
  })),
  withKey(`GET ${api}/mailings/{uuid}/`, 200, mailingFields, async ({ mailing }) => ({
    path: await mailing(),
  })),
  withKey(`POST ${api}/mailings/{uuid}/calculate/`, 200, mailingFields, async ({ mailing }) => ({
    path: await mailing(),
  })),
  withKey(`POST ${api}/mailings/{uuid}/stop/`, 200, mailingFields, async ({ mailing }) => ({
    path: await mailing(),
  })),
  withKey(`GET ${api}/profiles/`, 200, page(profileFields)),
  withKey(`GET ${api}/profiles/{uuid}/`, 200, profileFields, async ({ client }) => ({
    path: client.profile,
  })),
  withKey(`PUT ${api}/profiles/{uuid}/`, 200, profileFields, async ({ client }) => ({
    path: client.profile,
    body: { name: 'Ann' },
  })),
  withKey(`GET ${api}/profiles/chat/{uuid}/`, 200, profileFields, async ({ client }) => ({
    path: client.chat,
  })),
  withKey(`GET ${api}/profiles/external/{id}/`, 200, profileFields, async () => ({ path: 'crm-1' })),
  withKey(`PUT ${api}/profiles/external/{id}/`, 200, profileFields, async () => ({
    path: 'crm-1',
    body: { email: 'ann@shop.test' },
  })),
  withKey(`GET ${api}/profiles/phone/{number}/`, 200, profileFields, async () => ({ path: '4791234567' })),
  withKey(`PUT ${api}/profiles/phone/{number}/`, 200, profileFields, async () => ({
    path: '+4791234567',
    body: { timezone: 'Europe/Oslo' },
  })),
  withKey(`GET ${api}/profiles/audit/`, 200, page(auditFields)),
  withKey(`GET ${api}/profiles/audit/{uuid}/`, 200, auditFields, async ({ asPartner }) => ({
    path: (await asPartner('GET', `${api}/profiles/audit/`)).body.results[0].uuid,
  })),
  withKey(`GET ${api}/promocode-groups/`, 200, page(['uuid', 'name']), async ({ group }) => {
    await group();
    return {};
  }),
  withKey(`POST ${api}/promocode-groups/`, 201, ['uuid', 'name'], async () => ({ body: { name: 'Spring' } })),
  withKey(`GET ${api}/promocode-groups/{uuid}/`, 200, ['uuid', 'name'], async ({ group }) => ({
    path: await group(),
  })),
  withKey(`PATCH ${api}/promocode-groups/{uuid}/`, 200, ['uuid', 'name'], async ({ group }) => ({
    path: await group(),
    body: { name: 'Summer' },
  })),
  withKey(`DELETE ${api}/promocode-groups/{uuid}/`, 204, [], async ({ group }) => ({ path: await group() })),
  withKey(`GET ${api}/promocodes/`, 200, page(codeFields), async ({ code, group }) => {
    await code(await group());
    return {};
  }),
  withKey(
    `POST ${api}/promocodes/`,
    201,
    ['uuid', 'code', 'status', 'group'],
    async ({ group, patchbay }) => ({
      body: { code: `NEW-${patchbay.context.newId()}`, group: await group() },
    }),
  ),
  withKey(`GET ${api}/promocodes/{uuid}/`, 200, codeFields, async ({ code, group }) => ({
    path: await code(await group()),
  })),
  withKey(`PATCH ${api}/promocodes/{uuid}/`, 200, codeFields, async ({ code, group }) => ({
    path: await code(await group()),
    body: { status: 'ISSUED' },
  })),
  withKey(`DELETE ${api}/promocodes/{uuid}/`, 204, [], async ({ code, group }) => ({
    path: await code(await group()),
  })),
  withKey(`POST ${api}/promocodes/generate/`, 200, ['code'], async ({ group }) => ({
    body: { group: await group() },
  })),
];
