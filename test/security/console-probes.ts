import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

const built = join(import.meta.dirname, '..', '..', 'web', 'app', 'dist', 'files');
const builtFile = readdirSync(built).find((name) => name.endsWith('.js')) ?? '';

/** The headers of a person's call. */
export const inConsole = ({ person, projectId }: Furnished): Record<string, string> => ({
  ...person.headers,
  'patchbay-project': projectId,
});

export function consoleProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const project = { project: own.projectId };
  return [
    probe('GET /', {}),
    probe('GET /console/', person(own)),
    probe('GET /console/:project/', person(own), { params: project }),
    probe('GET /console/:project/*', person(own), { params: project }),
    probe('GET /app/files/:file', {}, { params: { file: builtFile } }),
    probe('GET /console/api/account/', person(own)),
    probe('GET /console/api/home/', headers),
    probe('POST /console/api/home/demo-keys/', headers),
    probe('GET /console/api/push-messages/:uuid/', headers, { params: { uuid: own.pushId } }),
    probe('POST /console/api/push-messages/', headers, {
      body: { chat: { uuid: own.chatId }, content: { type: 'TEXT', text: 'hello' } },
    }),
  ];
}

const person = (own: Furnished) => own.person.headers;
