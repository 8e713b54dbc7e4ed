import { readProject } from '../../../access/projects/store.ts';
import type { Checked } from '../../../mailings/make.ts';
import { awakeMs, hoursOf, type QuietHours } from '../../../mailings/quiet-hours.ts';
import type { Context } from '../../../platform/context.ts';
import { momentOf } from '../../../platform/moment.ts';
import { invalid } from '../../../platform/problem.ts';
import { findAudience, recipientsIn, scaleOf } from './audience.ts';
import type { Group } from './audience-store.ts';
import { type ChannelRow, findChannelPaces, paceOf } from './channels-store.ts';
import type { AudienceSize, Finish, PersonalMailing } from './draft-schema.ts';
import { secondsFor } from './prediction.ts';

const shortestMs = 60_000;
const longestMs = 31 * 86_400_000;

/** A person waits for the start. */
const patienceMs = 5_000;

/** When the first message may be sent. */
export const startOf = ({ due_at }: Pick<Checked, 'due_at'>, now: Date): Date => due_at ?? now;

/** The moment by which a mailing is to be done. Null without one. Throws `Invalid` for one that makes no sense. */
export function finishOf(
  { finish_by }: Pick<PersonalMailing, 'finish_by'>,
  checked: Checked,
  now: Date,
): Date | null {
  if (!finish_by) return null;
  if (checked.regular_cron !== null)
    throw invalid('finish_by', 'A mailing with a schedule has no moment to finish by.');
  if (checked.ab_test?.sample)
    throw invalid('finish_by', 'A mailing whose sample decides about the rest has no moment to finish by.');
  const until = momentOf(finish_by);
  const spanMs = until.getTime() - startOf(checked, now).getTime();
  if (spanMs < shortestMs) throw invalid('finish_by', 'Enter a moment at least a minute after the start.');
  if (spanMs > longestMs) throw invalid('finish_by', 'Enter a moment at most 31 days after the start.');
  return until;
}

type Planned = {
  groups: readonly Group[];
  size: AudienceSize;
  channels: readonly ChannelRow[];
  /** Null without quiet hours. */
  hours: QuietHours | null;
  from: Date;
  until: Date;
  now: Date;
};

/** The pace of a mailing that is spread until a moment, and what keeps it from being done then. */
export function planFinish({ groups, size, channels, hours, from, until, now }: Planned): Finish {
  const scale = scaleOf(size);
  const spanMs = until.getTime() - from.getTime();
  const ofChannel = Map.groupBy(groups, ({ channel_id }) => channel_id);
  return {
    per_second: size.count === null ? null : (recipientsIn(groups) * scale * 1000) / spanMs,
    hindrances: channels.flatMap((row) => {
      const theirs = (ofChannel.get(row.id) ?? []).map(({ recipients, timezone }) => ({
        messages: Math.round(recipients * scale),
        seconds: (hours ? awakeMs(hours, timezone ?? hours.timezone, from, until) : spanMs) / 1000,
      }));
      return hindranceOf(row, theirs, now) ?? [];
    }),
  };
}

/**
 * The messages that have the least time come first. If each of these sets fits into its time, all do.
 * @param groups Messages with the time in which their clients can be reached.
 */
function hindranceOf(
  row: ChannelRow,
  groups: readonly { messages: number; seconds: number }[],
  now: Date,
): Finish['hindrances'][number] | null {
  const total = groups.reduce((sum, { messages }) => sum + messages, 0);
  const told = { channel: row.name, messages: total, needed: null, had: 0 };
  if (row.state === 'paused') return { ...told, code: 'channel_paused' };
  let sum = 0;
  for (const { messages, seconds } of groups.toSorted((one, other) => one.seconds - other.seconds)) {
    sum += messages;
    if (seconds === 0) return { ...told, code: 'asleep', messages: sum };
    const needed = secondsFor(row.waiting + sum, paceOf(row, now));
    if (needed > seconds)
      return {
        ...told,
        code: 'too_slow',
        messages: sum,
        needed: Math.ceil(needed),
        had: Math.floor(seconds),
      };
  }
  return null;
}

/** The mailing with its moment. Refuses one that the channels cannot keep. A file's audience is not known yet. */
export async function withFinish(
  context: Pick<Context, 'sql' | 'clock'>,
  projectId: string,
  body: PersonalMailing,
  checked: Checked,
): Promise<Checked> {
  const now = context.clock.now();
  const until = finishOf(body, checked, now);
  if (until === null) return checked;
  const patience = { ms: patienceMs, enough: null, isLeft: () => false };
  const { groups, size } = await findAudience(context, projectId, body, patience);
  const ids = [...new Set(groups.map(({ channel_id }) => channel_id))];
  const plan = planFinish({
    groups,
    size,
    channels: await findChannelPaces(context.sql, projectId, ids, now),
    hours: hoursOf(await readProject(context.sql, projectId)),
    from: startOf(checked, now),
    until,
    now,
  });
  const [hindrance] = plan.hindrances;
  if (hindrance) throw invalid('finish_by', inWords(hindrance));
  return { ...checked, finish_by: until };
}

function inWords({ code, channel, messages, needed, had }: Finish['hindrances'][number]): string {
  switch (code) {
    case 'channel_paused':
      return `The mailing cannot be done by then: the channel "${channel}" is paused.`;
    case 'asleep':
      return `The mailing cannot be done by then: ${messages} clients of the channel "${channel}" have quiet hours until then.`;
    case 'too_slow':
      return `The mailing cannot be done by then: the channel "${channel}" needs ${needed} seconds for ${messages} messages, and has ${had}.`;
  }
}
