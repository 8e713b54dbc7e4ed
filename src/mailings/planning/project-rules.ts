import { readProject } from '../../access/projects/store.ts';
import { findTopic } from '../../clients/consent/topics-store.ts';
import type { Context } from '../../platform/context.ts';
import { type Caps, capsAt, noCaps } from '../frequency-cap.ts';
import type { LeasedMailing } from '../planner-store.ts';
import { hoursOf, type QuietEnds, quietEnds } from '../quiet-hours.ts';

export type ProjectRules = Caps & {
  /** The end of the quiet hours for each client. Null without quiet hours. */
  quiet: QuietEnds | null;
};

/** The project's rules that this mailing obeys. */
export async function rulesNow(
  { sql }: Pick<Context, 'sql'>,
  { project_id, topic_id, ignores_quiet_hours, ignores_cap }: LeasedMailing,
  now: Date,
): Promise<ProjectRules> {
  const project = await readProject(sql, project_id);
  const topic = topic_id === null ? undefined : await findTopic(sql, project_id, topic_id);
  const hours = hoursOf(project);
  return {
    quiet: hours && !ignores_quiet_hours ? quietEnds(hours, now) : null,
    ...(ignores_cap ? noCaps : capsAt(project, topic, now)),
  };
}
