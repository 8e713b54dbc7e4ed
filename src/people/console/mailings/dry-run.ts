import type { Member } from '../../../access/auth/member.ts';
import { readProject } from '../../../access/projects/store.ts';
import { findTopic } from '../../../clients/consent/topics-store.ts';
import { startOf } from '../../../mailings/finish.ts';
import { type Caps, capsAt } from '../../../mailings/frequency-cap.ts';
import { checkMailing } from '../../../mailings/make.ts';
import { hoursOf, quietEnds } from '../../../mailings/quiet-hours.ts';
import { bodyLimit } from '../../../mailings/schema.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { requireKeptAudience } from './approval-rule.ts';
import { type Found, findAudience } from './audience.ts';
import { recipientsIn } from './audience-parts.ts';
import type { Group } from './audience-store.ts';
import { type ChannelRow, findChannelPaces, paceOf } from './channels-store.ts';
import { DryRun, MailingDraft } from './draft-schema.ts';
import { planFinish } from './finish.ts';
import { secondsFor } from './prediction.ts';
import { testRule } from './test-rule.ts';
import { warningsOf } from './warnings.ts';

const patienceMs = 5_000;

/** POST /console/api/mailings/dry-run/: the duration and the problems of a mailing. Creates nothing. */
export const dryRun = actionFor<Member>()({
  body: MailingDraft,
  bodyLimit,
  line: 'searches',
  response: DryRun,
  handle: async ({ context, principal: { projectId }, body, request }) => {
    const draft = { ...body, name: body.name ?? '' };
    const checked = await checkMailing(context, projectId, draft);
    const project = await readProject(context.sql, projectId);
    if (project.needs_approval) await requireKeptAudience(context, projectId, checked);
    const hours = hoursOf(project);
    const patience = {
      ms: patienceMs,
      enough: null,
      isLeft: () => request.raw.socket.destroyed,
    };
    const begin = startOf(checked, context.clock.now());
    const { topic_id: topicId } = checked;
    const topic = topicId === null ? undefined : await findTopic(context.sql, projectId, topicId);
    const caps = capsAt(project, topic, begin);
    const quiet = hours && quietEnds(hours, begin);
    const found = await findAudience(context, projectId, body, patience, { quiet, caps });
    const of = Map.groupBy(found.groups, ({ channel_id }) => channel_id);
    const now = context.clock.now();
    const rows = await findChannelPaces(context.sql, projectId, [...of.keys()], now);
    const { count } = found.size;
    const channels = rows.map((row) => channelOf(row, recipientsIn(of.get(row.id) ?? []), now));
    const slowest = Math.max(0, ...channels.map(({ seconds }) => seconds ?? 0));
    return {
      audience: found.size,
      quiet: quietIn(found.groups),
      capped: cappedIn(found, caps),
      finish:
        checked.finish_by &&
        planFinish({
          groups: found.groups,
          size: found.size,
          channels: rows,
          hours,
          from: startOf(checked, now),
          until: checked.finish_by,
          now,
        }),
      needs_approval: project.needs_approval,
      needs_test_above: (await testRule(context, projectId, checked, async () => found.size)).above,
      seconds: count === null || channels.some(({ seconds }) => seconds === null) ? null : slowest,
      channels,
      warnings: await warningsOf(context, projectId, {
        draft,
        checked,
        found,
        channels,
        isQuiet: hours !== null,
      }),
    };
  },
});

/** Null without a cap, or if a file has the recipients. */
function cappedIn({ groups, size }: Found, { cap, topicCap }: Caps): number | null {
  if (size.count === null || (cap === null && topicCap === null)) return null;
  return groups.reduce((sum, { capped }) => sum + capped, 0);
}

function quietIn(groups: readonly Group[]): DryRun['quiet'] {
  const waiting = groups.filter(({ quiet_until }) => quiet_until !== null);
  const ends = waiting.flatMap(({ quiet_until }) => quiet_until ?? []).sort();
  const [first_at, last_at] = [ends[0], ends.at(-1)];
  if (first_at === undefined || last_at === undefined) return null;
  return { count: recipientsIn(waiting), first_at, last_at };
}

function channelOf(row: ChannelRow, messages: number, now: Date): DryRun['channels'][number] {
  const { name, platform, state, waiting } = row;
  const pace = paceOf(row, now);
  const seconds = state === 'paused' ? null : Math.ceil(secondsFor(waiting + messages, pace));
  return { name, platform, state, messages, waiting, per_second: pace.rate, seconds };
}
