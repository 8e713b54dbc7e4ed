import type { Member } from '../../../access/auth/member.ts';
import type { OwnApplication } from '../../../access/oauth/applications.ts';
import type { Context } from '../../../platform/context.ts';
import { isOwn } from './store.ts';

/** For `load`: the application that the path names, if the project owns it. */
export async function ownApplication(
  { sql }: Pick<Context, 'sql'>,
  { projectId }: Member,
  { uuid }: { uuid: string },
): Promise<OwnApplication | undefined> {
  return (await isOwn(sql, projectId, uuid)) ? { ownerId: projectId, id: uuid } : undefined;
}
