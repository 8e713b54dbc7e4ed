import type { Member } from '../../../access/auth/member.ts';
import { readProject } from '../../../access/projects/store.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { countries } from '../../../platform/phone.ts';
import { takenWords } from '../consent/scenario-words.ts';
import { Settings } from './schema.ts';

/** GET /console/api/settings/: the settings of the project. */
export const readSettings = actionFor<Member>()({
  response: Settings,
  handle: ({ context, principal: { projectId } }) => settingsOf(context, projectId),
});

export async function settingsOf({ sql }: Pick<Context, 'sql'>, projectId: string): Promise<Settings> {
  return {
    ...(await readProject(sql, projectId)),
    countries: [...countries],
    taken_words: await takenWords(sql, projectId),
  };
}
