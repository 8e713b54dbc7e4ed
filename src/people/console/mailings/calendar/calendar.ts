import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Member } from '../../../../access/auth/member.ts';
import { readProject } from '../../../../access/projects/store.ts';
import type { Platform } from '../../../../channels/contract/platforms.ts';
import { parseFilter } from '../../../../clients/filters/parse.ts';
import { platformsOf } from '../../../../mailings/audience.ts';
import { hoursOf, quietUntil } from '../../../../mailings/quiet-hours.ts';
import { momentNotBefore } from '../../../../mailings/rules.ts';
import { momentsBetween } from '../../../../mailings/schedule.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { invalid } from '../../../../platform/problem.ts';
import { collisionsOf, type Planned } from './collisions.ts';
import { beginOf, isDay, periodOf, wallClock } from './dates.ts';
import { platformsIn } from './platforms.ts';
import { Calendar, CalendarQuery } from './schema.ts';
import { type CalendarRow, mailingsBetween, mostMailings, platformsOfProject } from './store.ts';

/** A schedule may come every minute, and a project may have a thousand of them. Nobody reads more. */
const mostOfOne = 100;
const mostEntries = 2_000;

type Entry = Planned & { row: CalendarRow; kind: 'planned' | 'awaits' | 'started' | 'rest' };

/** GET /console/api/mailings/calendar/: the starts of a month or a week, on the project's calendar. */
export const readCalendar = actionFor<Member>()({
  query: CalendarQuery,
  response: Calendar,
  handle: async ({ context: { sql, clock }, principal: { projectId }, query: { view = 'month', day } }) => {
    const now = clock.now();
    const project = await readProject(sql, projectId);
    const { timezone, quiet_from, quiet_until } = project;
    const today = wallClock(now, timezone).day;
    if (day !== undefined && !isDay(day)) throw invalid('day', 'Enter a day as YYYY-MM-DD.');
    const period = periodOf(view, day ?? today);
    const between = { from: beginOf(period.start, timezone), until: beginOf(period.next, timezone), now };
    const [rows, own] = await Promise.all([
      mailingsBetween(sql, projectId, between.from, between.until),
      platformsOfProject(sql, projectId),
    ]);
    const most = Math.min(mostOfOne, Math.ceil(mostEntries / rows.length));
    const all: Entry[][] = [];
    for (const row of rows) {
      all.push(entriesOf(row, own, between, most));
      // Others are served between two schedules.
      await nextTurn();
    }
    const entries = all.flat().sort((one, other) => one.at.getTime() - other.at.getTime());
    const collisions = collisionsOf(entries);
    const hours = hoursOf(project);
    const shown = entries.map(({ row, at, kind, platforms }, place) => ({
      ...wallClock(at, timezone),
      uuid: row.id,
      name: row.name,
      at: at.toISOString(),
      kind,
      is_regular: row.regular_cron !== null,
      is_quiet: hours !== null && quietUntil(hours, [timezone], at) !== null,
      platforms: [...platforms],
      collides_with: (collisions[place] ?? []).flatMap((other) => {
        const met = entries[other];
        return met ? [{ uuid: met.row.id, name: met.row.name, time: wallClock(met.at, timezone).time }] : [];
      }),
    }));
    const byDay = Map.groupBy(shown, (entry) => entry.day);
    const { days, ...around } = period;
    return {
      timezone,
      quiet_from,
      quiet_until,
      today,
      ...around,
      days: days.map((of) => ({ day: of, entries: byDay.get(of) ?? [] })),
      is_cut: rows.length === mostMailings || all.some(({ length }) => length >= most),
    };
  },
});

type Between = { from: Date; until: Date; now: Date };

function entriesOf(row: CalendarRow, own: readonly Platform[], between: Between, most: number): Entry[] {
  const filtered = row.filter_chats === null ? null : platformsIn(parseFilter(row.filter_chats));
  const platforms = platformsOf(row).filter(
    (name) => own.includes(name) && (filtered?.includes(name) ?? true),
  );
  const entry = (kind: Entry['kind'], at: Date): Entry => ({ uuid: row.id, row, kind, at, platforms });
  const { started_at: began, awaits_approval, rest_at } = row;
  const isInside = (at: Date) => at >= between.from && at < between.until;
  return [
    ...(began && isInside(began) ? [entry('started', began)] : []),
    ...(rest_at && isInside(rest_at) ? [entry('rest', rest_at)] : []),
    ...startsOf(row, between, most).map((at) => entry(awaits_approval ? 'awaits' : 'planned', at)),
  ];
}

/** The future starts in the period. Of a schedule there may be many. */
function startsOf(
  { state, due_at, awaits_approval, planned_at, regular_cron }: CalendarRow,
  { from, until, now }: Between,
  most: number,
): Date[] {
  if (state !== 'planned') return [];
  const first = awaits_approval ? momentNotBefore(planned_at, regular_cron, now) : due_at;
  if (first === null) return [];
  const begin = new Date(Math.max(first.getTime(), from.getTime()));
  if (regular_cron !== null) return momentsBetween(regular_cron, begin, until, most);
  return first >= from && first < until ? [first] : [];
}
