import type { Principal } from '../../platform/http/principal.ts';

/** An application within a project: what has a webhook. */
export type Integration = { projectId: string; applicationId: string };

/** Behind the guard that lets in tokens alone there is always an application. */
export function integrationOf({ projectId, applicationId }: Principal): Integration {
  if (applicationId === null)
    throw new Error('A bot key has no integration: the route needs the OAuth guard.');
  return { projectId, applicationId };
}
