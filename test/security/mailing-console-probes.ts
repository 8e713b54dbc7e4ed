import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { mailingBodies } from './mailing-bodies.ts';
import { type Probe, probe } from './probe.ts';

const console = '/console/api/mailings/';

/** The console's calls on saved audiences. */
export function audienceProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const root = '/console/api/audiences/';
  const one = { params: { uuid: own.audienceId } };
  const filter_chats = { all: [{ type: 'profile_tag', tag: `tag-${own.name}` }] };
  return [
    probe(`GET ${root}`, headers),
    probe(`POST ${root}`, headers, { body: { name: 'new', filter_chats }, once: 'name' }),
    probe(`GET ${root}:uuid/`, headers, one),
    probe(`PUT ${root}:uuid/`, headers, { ...one, body: { name: `audience-${own.name}`, filter_chats } }),
    probe(`DELETE ${root}:uuid/`, headers, { params: { uuid: own.spareAudienceId } }),
  ];
}

/** The console's calls on mailings, its own and those shared with partners. */
export function mailingConsoleProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const params = { uuid: own.mailingId };
  const bodies = mailingBodies(own);
  const written = (path: string): Probe[] =>
    bodies.map((body) => probe(`POST ${console}${path}`, headers, { body }));
  const one = (call: string, parts = {}): Probe =>
    probe(call.replace(' ', ` ${console}:uuid/`), headers, { params, ...parts });
  return [
    probe(`GET ${console}`, headers, { query: { search: `mailing-${own.name}`, limit: '10', offset: '0' } }),
    probe(`GET ${console}approvals/`, headers),
    probe(`GET ${console}choices/`, headers),
    probe(`GET ${console}schedule/`, headers, {
      query: { cron: '0 12 * * *', after: '2099-01-01T00:00:00Z' },
    }),
    ...['', 'audience/', 'preview/', 'dry-run/'].flatMap(written),
    probe(`GET ${console}compare/`, headers, { query: { mailings: `${own.mailingId},${own.draftId}` } }),
    probe(`GET ${console}calendar/`, headers, { query: { view: 'week', day: '2099-01-01' } }),
    probe(`GET ${console}colleagues/`, headers),
    probe(`DELETE ${console}colleagues/:uuid/`, headers, { params: { uuid: own.profileId } }),
    probe(`PUT ${console}colleagues/:uuid/`, headers, { params: { uuid: own.profileId } }),
    ...bodies.map((body) =>
      probe(`POST ${console}test/`, headers, { body: { ...body, colleagues: [own.profileId] } }),
    ),
    one('GET '),
    ...bodies.map((body) => probe(`PUT ${console}:uuid/`, headers, { params: { uuid: own.draftId }, body })),
    one('GET failures/'),
    one('GET problems/'),
    one('GET recipients/', { query: { state: 'pending', after: own.mailingId } }),
    one('GET recipients/', { query: { search: own.profileExternalId } }),
    one('GET recipients/export/'),
    one('GET runs/'),
    one('GET timeline/'),
    // Other probes have stopped the first mailing.
    one('POST overrides/', {
      params: { uuid: own.draftId },
      body: { quiet_hours: true, cap: true, reason: 'A recall' },
    }),
    one('GET ab-test/', { params: { uuid: own.testId } }),
    one('POST ab-test/choose/', { params: { uuid: own.testId }, body: { variant: 2 } }),
    one('POST approve/', { params: { uuid: own.heldId }, body: { revision: 0 } }),
    one('POST calculate/'),
    one('POST stop/'),
    one('POST resend/', { body: { name: 'Again' } }),
  ];
}
