import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { mailingBodies } from './mailing-probes.ts';
import { type Probe, probe } from './probe.ts';

const console = '/console/api/mailings/';

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
    probe(`GET ${console}choices/`, headers),
    probe(`GET ${console}schedule/`, headers, {
      query: { cron: '0 12 * * *', after: '2099-01-01T00:00:00Z' },
    }),
    ...['', 'audience/', 'preview/', 'dry-run/'].flatMap(written),
    one('GET '),
    ...bodies.map((body) => probe(`PUT ${console}:uuid/`, headers, { params: { uuid: own.draftId }, body })),
    one('GET failures/'),
    one('GET problems/'),
    one('GET recipients/', { query: { state: 'pending', after: own.mailingId } }),
    one('GET recipients/', { query: { search: own.profileExternalId } }),
    one('GET runs/'),
    one('GET timeline/'),
    // Other probes have stopped the first mailing.
    one('POST overrides/', {
      params: { uuid: own.draftId },
      body: { quiet_hours: true, cap: true, reason: 'A recall' },
    }),
    one('POST calculate/'),
    one('POST stop/'),
    one('POST resend/', { body: { name: 'Again' } }),
  ];
}
