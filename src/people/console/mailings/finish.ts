import { readProject } from '../../../access/projects/store.ts';
import { startOf } from '../../../mailings/finish.ts';
import type { Checked } from '../../../mailings/make.ts';
import { awakeMs, hoursOf, type QuietHours } from '../../../mailings/quiet-hours.ts';
import type { Context } from '../../../platform/context.ts';
import { invalid } from '../../../platform/problem.ts';
import { findAudience } from './audience.ts';
import { recipientsIn } from './audience-parts.ts';
import type { Group } from './audience-store.ts';
import { type ChannelRow, findChannelPaces, paceOf } from './channels-store.ts';
import type { AudienceSize, Finish, MailingDraft } from './draft-schema.ts';
import { secondsFor } from './prediction.ts';

/** A person waits for the start. */
const patienceMs = 5_000;

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
  const spanMs = until.getTime() - from.getTime();
  const ofChannel = Map.groupBy(groups, ({ channel_id }) => channel_id);
  return {
    per_second: size.count === null ? null : (recipientsIn(groups) * 1000) / spanMs,
    hindrances: channels.flatMap((row) => {
      const theirs = (ofChannel.get(row.id) ?? []).map(({ recipients, timezone }) => ({
        messages: recipients,
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

/** Throws `Invalid` for a moment that the channels cannot keep. A file's audience is not known yet. */
export async function requireFinish(
  context: Pick<Context, 'sql' | 'clock'>,
  projectId: string,
  body: MailingDraft,
  checked: Checked,
): Promise<void> {
  const until = checked.finish_by;
  if (until === null) return;
  const now = context.clock.now();
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
