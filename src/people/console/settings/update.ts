import type { Member } from '../../../access/auth/member.ts';
import { setProject } from '../../../access/projects/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { settingsOf } from './read.ts';
import { Settings, SettingsPatch } from './schema.ts';

/** PATCH /console/api/settings/. Source: docs/contract.md, sections 5 and 6. */
export const updateSettings = actionFor<Member>()({
  body: SettingsPatch,
  response: Settings,
  handle: async ({ context, principal: { projectId, operatorId }, body }) => {
    await setProject(context.sql, projectId, body);
    context.log.info({ projectId, by: operatorId }, 'the settings of a project were changed');
    return settingsOf(context, projectId);
  },
});
