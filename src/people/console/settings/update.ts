import type { Member } from '../../../access/auth/member.ts';
import { readProject, setProject } from '../../../access/projects/store.ts';
import { listTopics } from '../../../clients/consent/topics-store.ts';
import { lengthOf, longestQuietHours } from '../../../mailings/quiet-hours.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { invalid, messages } from '../../../platform/problem.ts';
import { timeZoneOf } from '../../../platform/time-zone.ts';
import { checkMeaning, wordsOf } from '../consent/words.ts';
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
    const words = wordsIn(body);
    await checkWords(context.sql, projectId, words);
    await setProject(context.sql, projectId, { ...body, ...words });
    context.log.info({ projectId, by: operatorId }, 'the settings of a project were changed');
    return settingsOf(context, projectId);
  },
});

type Words = Pick<SettingsPatch, 'leave_words' | 'return_words'>;

const wordsIn = ({ leave_words, return_words }: SettingsPatch): Words => ({
  ...(leave_words && { leave_words: wordsOf(leave_words, 'leave_words') }),
  ...(return_words && { return_words: wordsOf(return_words, 'return_words') }),
});

/** A word means one thing: to leave, to come back, or to leave a topic. */
async function checkWords(sql: Sql, projectId: string, { leave_words, return_words }: Words): Promise<void> {
  if (!leave_words && !return_words) return;
  const present = await readProject(sql, projectId);
  const ofTopics = (await listTopics(sql, projectId)).flatMap(({ words }) => words);
  const returning = return_words ?? present.return_words;
  const leaving = leave_words ?? present.leave_words;
  if (leave_words) checkMeaning(leave_words, 'leave_words', [...returning, ...ofTopics]);
  if (return_words) checkMeaning(return_words, 'return_words', [...leaving, ...ofTopics]);
}

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
