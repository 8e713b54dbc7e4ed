import type { Principal } from '../../platform/http/principal.ts';

/** An application within a project. It can have a webhook. */
export type Integration = { projectId: string; applicationId: string };

/** A guard that admits only tokens always gives an application. */
export function integrationOf({ projectId, applicationId }: Principal): Integration {
  if (applicationId === null)
    throw new Error('A bot key has no integration: the route needs the OAuth guard.');
  return { projectId, applicationId };
}
