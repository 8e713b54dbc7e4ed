import { administrationProbes } from './administration-probes.ts';
import { channelProbes, webhookProbes } from './channel-probes.ts';
import { chatCenterProbes } from './chat-center-probes.ts';
import { clientProbes } from './client-probes.ts';
import { consentProbes } from './consent-probes.ts';
import { consoleProbes } from './console-probes.ts';
import { descriptionProbes } from './description-probes.ts';
import { codeVerifier, type Furnished, redirectUri } from './furnish.ts';
import { iframeProbes } from './iframe-probes.ts';
import { audienceProbes, mailingConsoleProbes } from './mailing-console-probes.ts';
import { mailingProbes } from './mailing-probes.ts';
import { connectorProbes, pushProbes } from './message-probes.ts';
import { peopleProbes } from './people-probes.ts';
import { type Probe, probe } from './probe.ts';
import { scenarioProbes, templateProbes } from './scenario-probes.ts';
import { pageProbes, providerProbes, widgetProbes } from './world-probes.ts';

/**
 * At least one call of every route with a project's own objects. Together the calls have every field. Calls that look
 * a person up come before calls that add one.
 */
export const probesOf = (...given: Parameters<typeof allProbes>): Probe[] =>
  allProbes(...given).toSorted((a, b) => Number(isQuestion(b)) - Number(isQuestion(a)));

const isQuestion = ({ route }: Probe): boolean => route.startsWith('GET ');

const allProbes = (own: Furnished, widgetVersion: string, webhookUrl: string): Probe[] => [
  ...oauthProbes(own),
  ...pushProbes(own),
  ...mailingProbes(own),
  ...profileProbes(own),
  ...promocodeProbes(own),
  ...credentialProbes(own, webhookUrl),
  ...connectorProbes(own),
  ...iframeProbes(own),
  ...providerProbes(own),
  ...widgetProbes(own),
  ...pageProbes(widgetVersion),
  ...peopleProbes(own),
  ...consoleProbes(own),
  ...chatCenterProbes(own),
  ...clientProbes(own),
  ...administrationProbes(own),
  ...mailingConsoleProbes(own),
  ...consentProbes(own),
  ...audienceProbes(own),
  ...channelProbes(own),
  ...webhookProbes(own, webhookUrl),
  ...scenarioProbes(own),
  ...templateProbes(own),
  ...descriptionProbes,
];

function oauthProbes({ own, code, refreshToken }: Furnished): Probe[] {
  const client = { client_id: own.clientId, client_secret: own.clientSecret };
  return [
    { ...client, grant_type: 'code', code, redirect_uri: redirectUri, code_verifier: codeVerifier },
    { ...client, grant_type: 'refresh_token', refresh_token: refreshToken },
  ].map((body) => probe('POST /api/partners/oauth/', {}, { body }));
}

const credentialProbes = ({ sharedToken }: Furnished, webhookUrl: string): Probe[] => [
  probe('PUT /api/partners/integrations/credentials/', sharedToken, {
    body: { webhook_url: webhookUrl, webhook_events: ['message_created'], webhook_platforms: ['Telegram'] },
  }),
  probe('GET /api/partners/integrations/credentials/', sharedToken),
  probe('DELETE /api/partners/integrations/credentials/', sharedToken),
];

function profileProbes(own: Furnished): Probe[] {
  const { name, phone, profileExternalId: id } = own;
  const key = { 'bot-key': own.botKey };
  const all = {
    external_id: `spare-${name}`,
    phone_number: own.sparePhone,
    email: 'ann@shop.test',
    name: 'Ann',
    timezone: 'Europe/Oslo',
    pda_agreed: '2026-01-01T00:00:00Z',
    tags: [`tag-${name}`],
    attrs: { [`attribute-${name}`]: 'blue' },
  };
  const get = (path: string, params = {}, query = {}) =>
    probe(`GET /api/partners/profiles/${path}`, key, { params, query });
  const put = (path: string, params: Record<string, string>, body: object) =>
    probe(`PUT /api/partners/profiles/${path}`, key, { params, body });
  const page = { limit: '10', offset: '0' };
  return [
    get('', {}, { phone_number: phone, external_id: id, tag: `tag-${name}`, ...page }),
    get('audit/', {}, { profile: own.profileId, ...page }),
    get('audit/:uuid/', { uuid: own.profileId }),
    get('chat/:uuid/', { uuid: own.chatId }),
    get('external/:id/', { id }),
    get('phone/:number/', { number: phone }),
    get(':uuid/', { uuid: own.profileId }),
    put('external/:id/', { id }, { name: 'Ann' }),
    put('phone/:number/', { number: phone }, { name: 'Ann' }),
    put(':uuid/', { uuid: own.spareProfileId }, all),
  ];
}

function promocodeProbes(own: Furnished): Probe[] {
  const key = { 'bot-key': own.botKey };
  const [group, code] = [{ uuid: own.groupId }, { uuid: own.promocodeId }];
  const page = { limit: '10', offset: '0' };
  const expires_at = '2099-01-01T00:00:00Z';
  const form = { chars_count: 10, is_add_integers: true, prefix: 'SALE', expires_at };
  const change = {
    code: `changed-${own.name}`,
    status: 'ISSUED',
    issued_at: '2026-01-01T00:00:00Z',
    expires_at,
  };
  const groups = (call: string, parts: object) =>
    probe(call.replace(' ', ' /api/partners/promocode-groups/'), key, parts);
  const codes = (call: string, parts: object) =>
    probe(call.replace(' ', ' /api/partners/promocodes/'), key, parts);
  const written = { code: 'NEW', group: own.groupId, issued_chat: own.chatId, expires_at };
  return [
    groups('GET ', { query: page }),
    groups('POST ', { body: { name: 'Spring' } }),
    groups('GET :uuid/', { params: group }),
    groups('PATCH :uuid/', { params: group, body: { name: 'Summer' } }),
    codes('GET ', { query: page }),
    codes('POST ', { body: written, once: 'code' }),
    codes('POST generate/', { body: { group: own.groupId, ...form } }),
    codes('GET :uuid/', { params: code }),
    codes('PATCH :uuid/', {
      params: code,
      body: { ...change, group, issued_chat: { uuid: own.chatId } },
      once: 'code',
    }),
    codes('PATCH :uuid/', { params: code, body: { group: own.groupId, issued_chat: own.chatId } }),
    codes('DELETE :uuid/', { params: { uuid: own.sparePromocodeId } }),
    groups('DELETE :uuid/', { params: { uuid: own.spareGroupId } }),
  ];
}
