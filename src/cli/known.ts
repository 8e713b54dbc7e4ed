import { findApplication } from '../access/oauth/store.ts';
import { findProject } from '../access/projects/store.ts';
import { isUuid } from '../platform/id.ts';
import { Refused } from '../platform/problem.ts';
import type { Tools } from './tools.ts';

/** Loaders for the objects that a command names. A missing one is `Refused` with the command that makes one. */

type Found = { id: string; name: string };

export async function knownProject({ sql }: Tools, uuid: string): Promise<Found> {
  const project = isUuid(uuid) ? await findProject(sql, uuid) : null;
  if (!project)
    throw new Refused(`There is no project ${uuid}. Create one with: patchbay project create <name>`);
  return project;
}

export async function knownApplication({ sql }: Tools, clientId: string): Promise<Found> {
  const application = isUuid(clientId) ? await findApplication(sql, clientId.toLowerCase()) : null;
  if (!application) {
    throw new Refused(
      `There is no application ${clientId}. Create one with: patchbay app create <name> --redirect-uri <uri>`,
    );
  }
  return application;
}
