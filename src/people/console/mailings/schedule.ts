import type { Member } from '../../../access/auth/member.ts';
import { isSchedule, nextMoment } from '../../../mailings/schedule.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { invalid } from '../../../platform/problem.ts';
import { Schedule, ScheduleQuery } from './draft-schema.ts';

const shown = 5;

/** GET /console/api/mailings/schedule/: the next times of a schedule. */
export const readSchedule = actionFor<Member>()({
  query: ScheduleQuery,
  response: Schedule,
  handle: async ({ context: { clock }, query: { cron, after } }) => {
    if (!isSchedule(cron)) {
      throw invalid('cron', 'Enter five fields: minute, hour, day of month, month, day of week.');
    }
    const now = clock.now().getTime();
    const moments: Date[] = [];
    let last: Date | null = new Date(Math.max(now, after ? new Date(after).getTime() - 1 : now));
    while (moments.length < shown && last !== null) {
      last = nextMoment(cron, last);
      if (last) moments.push(last);
    }
    return { moments: moments.map((moment) => moment.toISOString()) };
  },
});
