import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

const page = { limit: '10', offset: '0' };

/** The console's calls on profiles, their tags and attributes, and promo codes. */
export const clientProbes = (own: Furnished): Probe[] => [
  ...profileProbes(own),
  ...definitionProbes(own, 'tags', `spare-tag-${own.name}`),
  ...definitionProbes(own, 'attributes', `spare-attribute-${own.name}`),
  ...groupProbes(own),
  ...codeProbes(own),
];

function profileProbes(own: Furnished): Probe[] {
  const { name } = own;
  const headers = inConsole(own);
  const params = { uuid: own.spareProfileId };
  const all = {
    external_id: `spare-${name}`,
    phone_number: own.sparePhone,
    email: 'ann@shop.test',
    name: 'Ann',
    timezone: 'Europe/Oslo',
    pda_agreed: '2026-01-01T00:00:00.000Z',
    tags: [`tag-${name}`],
    attrs: { [`attribute-${name}`]: 'blue' },
  };
  return [
    probe('GET /console/api/profiles/', headers, {
      query: { search: own.phone, tag: `tag-${name}`, ...page },
    }),
    probe('GET /console/api/profiles/audit/', headers, { query: { profile: own.profileId, ...page } }),
    probe('GET /console/api/profiles/:uuid/', headers, { params }),
    probe('GET /console/api/profiles/:uuid/timeline/', headers, {
      params: { uuid: own.profileId },
      query: { before: 'ffffffff-ffff-4fff-bfff-ffffffffffff' },
    }),
    probe('GET /console/api/profiles/:uuid/outcomes/', headers, { params: { uuid: own.profileId } }),
    probe('PUT /console/api/profiles/:uuid/', headers, { params, body: { ...all, seen: all } }),
  ];
}

/** Deletions come before creations: attacks with names must not find names that an attack has created. */
function definitionProbes(own: Furnished, kind: 'tags' | 'attributes', name: string): Probe[] {
  const headers = inConsole(own);
  return [
    probe(`GET /console/api/${kind}/`, headers),
    probe(`GET /console/api/${kind}/uses/`, headers, { query: { name } }),
    probe(`DELETE /console/api/${kind}/`, headers, { query: { name } }),
    probe(`POST /console/api/${kind}/`, headers, { body: { name: 'made by a probe' } }),
  ];
}

function groupProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const params = { uuid: own.groupId };
  const expires_at = '2099-01-01T00:00:00Z';
  const group = (call: string, parts: object = {}) =>
    probe(call.replace(' ', ' /console/api/promocode-groups/'), headers, parts);
  return [
    group('GET ', { query: page }),
    group('POST ', { body: { name: 'Autumn' } }),
    group('GET :uuid/', { params }),
    group('PATCH :uuid/', { params, body: { name: 'Winter' } }),
    group('GET :uuid/codes/', { params, query: { status: 'ISSUED', code: `code-${own.name}`, ...page } }),
    group('GET :uuid/export/', { params }),
    group('POST :uuid/generate/', {
      params,
      body: { count: 2, chars_count: 10, is_add_integers: true, prefix: 'MANY', expires_at },
    }),
    group('POST :uuid/import/', { params, body: { lines: ['IMPORTED'], expires_at } }),
    group('DELETE :uuid/', { params: { uuid: own.consoleGroupId } }),
  ];
}

function codeProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const expires_at = '2099-01-01T00:00:00Z';
  const change = {
    code: `console-changed-${own.name}`,
    status: 'ISSUED',
    issued_at: '2026-01-01T00:00:00Z',
    expires_at,
    group: { uuid: own.groupId },
    issued_chat: { uuid: own.chatId },
  };
  return [
    probe('POST /console/api/promocodes/', headers, {
      body: { code: 'NEW BY HAND', group: own.groupId, issued_chat: own.chatId, expires_at },
      once: 'code',
    }),
    probe('PATCH /console/api/promocodes/:uuid/', headers, {
      params: { uuid: own.promocodeId },
      body: change,
      once: 'code',
    }),
    probe('DELETE /console/api/promocodes/:uuid/', headers, { params: { uuid: own.consolePromocodeId } }),
  ];
}
