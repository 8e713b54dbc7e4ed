import { findApplication, findProject } from '../access/projects/store.ts';
import { isUuid } from '../platform/id.ts';
import { Refused } from '../platform/problem.ts';
import type { Tools } from './tools.ts';

/** What a command was told to work on, found; or `Refused` with the command that makes one. */

type Found = { id: string; name: string };

export async function knownProject({ sql }: Tools, uuid: string): Promise<Found> {
  const project = isUuid(uuid) ? await findProject(sql, uuid) : null;
  if (!project)
    throw new Refused(`There is no project ${uuid}. Create one with: patchbay project create <name>`);
  return project;
}

export async function knownApplication({ sql }: Tools, clientId: string): Promise<Found> {
  const application = isUuid(clientId) ? await findApplication(sql, clientId) : null;
  if (!application) {
    throw new Refused(
      `There is no application ${clientId}. Create one with: patchbay app create <name> --redirect-uri <uri>`,
    );
  }
  return application;
}
