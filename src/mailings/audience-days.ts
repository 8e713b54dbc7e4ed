import { readProject } from '../access/projects/store.ts';
import { forgetMembers } from '../clients/audiences/members-store.ts';
import type { Filter } from '../clients/filters/filter.ts';
import { parseFilter } from '../clients/filters/parse.ts';
import { TooMuchWork } from '../clients/filters/work.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseUnavailable } from '../platform/database/database.ts';
import { errorText } from '../platform/error-text.ts';
import { Invalid } from '../platform/problem.ts';
import { contentTypesOf, platformsOf } from './audience.ts';
import {
  beginLook,
  type DueLook,
  dueLooks,
  forgetDays,
  giveLookUp,
  type Look,
  lookAtNext,
} from './audience-days-store.ts';
import { atOnceAfterFailure, atOnceAtFirst, nextAtOnce, searched } from './chunk-size.ts';
import { hoursOf, type QuietEnds, quietEnds } from './quiet-hours.ts';
import type { Choice } from './recipients-store.ts';

/** A stop of the program waits for a running job. The next run continues. */
const patienceMs = 5_000;
/** Then it is the next audience's turn. */
const turnMs = 500;
const looksAtOnce = 1_000;
const forgottenAtOnce = 5_000;
const keptDays = 400;
const dayMs = 86_400_000;

type Needs = Pick<Context, 'sql' | 'clock' | 'wake'>;

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/**
 * Looks once a day (UTC) at who is in each audience. An audience that cannot be looked at delays no other one. Throws
 * with the first failure.
 */
export async function lookAtAudiences(context: Needs): Promise<void> {
  const { sql, clock } = context;
  const until = performance.now() + patienceMs;
  const today = dayOf(clock.now().getTime());
  const failures = new Map<string, string>();
  const dueNow = async () =>
    (await dueLooks(sql, today, looksAtOnce)).filter(({ audience_id }) => !failures.has(audience_id));
  for (let all = await dueNow(); all.length > 0 && performance.now() < until; all = await dueNow()) {
    for (const due of all) {
      if (performance.now() > until) break;
      const turnEnd = Math.min(until, performance.now() + turnMs);
      await lookAt(context, due, today, turnEnd).catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) throw error;
        failures.set(due.audience_id, `audience "${due.name}": ${errorText(error)}`);
      });
    }
  }
  await forgetDays(sql, dayOf(clock.now().getTime() - keptDays * dayMs), forgottenAtOnce);
  while ((await forgetMembers(sql, forgottenAtOnce)) === forgottenAtOnce && performance.now() < until);
  const [failure] = failures.values();
  if (failure !== undefined) throw new Error(failure);
}

async function lookAt(
  { sql, clock, wake }: Needs,
  due: DueLook,
  today: string,
  until: number,
): Promise<void> {
  const begun = await beginLook(sql, due, today);
  if (!begun) return;
  try {
    await walk({ sql, clock }, begun, parseFilter(due.filter), until);
    wake.wake('running');
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    await giveLookUp(sql, begun, problem, clock.now());
  }
}

async function walk(
  { sql, clock }: Pick<Needs, 'sql' | 'clock'>,
  begun: Look,
  filter: Filter,
  until: number,
): Promise<void> {
  const hours = hoursOf(await readProject(sql, begun.project_id));
  const choice = everyReachable(begun.project_id, filter, hours && quietEnds(hours, clock.now()));
  let look: Look | undefined = begun;
  let atOnce = atOnceAtFirst;
  while (look && performance.now() < until) {
    const begunAt = performance.now();
    try {
      look = await lookAtNext(sql, look, { choice, atOnce, now: clock.now() });
      atOnce = nextAtOnce(atOnce, performance.now() - begunAt, searched);
    } catch (error) {
      if (!(error instanceof TooMuchWork) || atOnce === 1) throw error;
      atOnce = atOnceAfterFailure(atOnce);
    }
  }
}

/** The recipients of a text, as the size of an audience counts them. */
function everyReachable(projectId: string, filter: Filter, quiet: QuietEnds | null): Choice {
  const saying = { content_type: 'TEXT', node_id: null, phone_numbers_file: null } as const;
  return {
    projectId,
    list: null,
    filter,
    topicId: null,
    platforms: platformsOf(saying),
    contentTypes: contentTypesOf(saying),
    chats: null,
    besides: null,
    quiet,
  };
}

/** For people. Null for a failure that a later attempt may not have. */
function problemOf(error: unknown): string | null {
  if (error instanceof Invalid) return `The filter cannot be read: ${[error.fields.filter_chats].flat()[0]}`;
  if (error instanceof TooMuchWork) return 'The filter looks at more of a client than it may.';
  return null;
}
