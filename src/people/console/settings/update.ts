import type { Member } from '../../../access/auth/member.ts';
import { setProject } from '../../../access/projects/store.ts';
import { lengthOf, longestQuietHours } from '../../../mailings/quiet-hours.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { invalid, messages } from '../../../platform/problem.ts';
import { timeZoneOf } from '../../../platform/time-zone.ts';
import { wordsOf } from '../consent/words.ts';
import { checkPair } from './check-pair.ts';
import { settingsOf } from './read.ts';
import { Settings, SettingsPatch } from './schema.ts';

/** PATCH /console/api/settings/. Source: docs/contract.md, sections 5 and 6. */
export const updateSettings = actionFor<Member>()({
  body: SettingsPatch,
  response: Settings,
  handle: async ({ context, principal: { projectId, operatorId }, body }) => {
    checkQuietHours(body);
    checkPair(['cap_messages', body.cap_messages], ['cap_days', body.cap_days]);
    const { leave_words, return_words } = body;
    await setProject(context.sql, projectId, {
      ...body,
      ...(leave_words && { leave_words: wordsOf(leave_words, 'leave_words') }),
      ...(return_words && { return_words: wordsOf(return_words, 'return_words') }),
    });
    context.log.info({ projectId, by: operatorId }, 'the settings of a project were changed');
    return settingsOf(context, projectId);
  },
});

function checkQuietHours({ quiet_from: from, quiet_until: until, timezone }: SettingsPatch): void {
  if (timezone !== undefined && timeZoneOf(timezone) !== timezone) {
    throw invalid('timezone', messages.choice(timezone.slice(0, 100)));
  }
  checkPair(['quiet_from', from], ['quiet_until', until]);
  if (!from || !until) return;
  const minutes = lengthOf({ from, until });
  if (minutes === 0 || minutes > longestQuietHours * 60) {
    throw invalid('quiet_until', `Quiet hours last at most ${longestQuietHours} hours.`);
  }
}
