import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** What a person's call carries. */
export const inConsole = ({ person, projectId }: Furnished): Record<string, string> => ({
  ...person.headers,
  'patchbay-project': projectId,
});

export function consoleProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const project = { project: own.projectId };
  return [
    probe('GET /console/', person(own)),
    probe('GET /console/:project/', person(own), { params: project }),
    probe('GET /console/:project/*', person(own), { params: project }),
    probe('GET /app/files/:file', {}, { params: { file: 'console.js' } }),
    probe('GET /console/api/account/', person(own)),
    probe('GET /console/api/profiles/', headers),
    probe('GET /console/api/mailings/', headers),
  ];
}

const person = (own: Furnished) => own.person.headers;
