import { leftTopic, suppressed, unsubscribed } from '../../../clients/consent/reasons.ts';
import type { Standing } from '../../../clients/consent/standing-store.ts';
import { platformsOf } from '../../../mailings/audience.ts';
import { overCap, overTopicCap } from '../../../mailings/frequency-cap.ts';
import type { ChatRow, MessageRow, RunRow } from './outcomes-store.ts';
import type { Outcome, OutcomeCode } from './schema.ts';

/** What became of a message or of a mailing for one client. The page makes a sentence of it. */
type Verdict = Pick<Outcome, 'code' | 'detail' | 'until' | 'platform' | 'by' | 'variant'>;

const verdict = (code: OutcomeCode, more: Partial<Verdict> = {}): Verdict => ({
  code,
  detail: '',
  until: null,
  platform: null,
  by: null,
  variant: null,
  ...more,
});

export function outcomeOfMessage(
  message: MessageRow,
  run: Pick<RunRow, 'waits' | 'topic_id' | 'topic'>,
  standing: Standing,
  now: Date,
): Verdict {
  const { platform, state, state_detail: detail, sent_at, delivered_at, read_at } = message;
  const at = (moment: Date | null) => moment?.toISOString() ?? null;
  switch (state) {
    case 'SENT':
      return verdict('sent', { platform, until: at(sent_at) });
    case 'DELIVERED':
      return verdict('delivered', { platform, until: at(delivered_at) });
    case 'READ':
      return verdict('read', { platform, until: at(read_at) });
    case 'CANCELLED':
      return verdict('cancelled', { detail });
    case 'UNDELIVERED':
    case 'ERROR':
      return failure(platform, detail, run, standing);
    default:
      return waiting(message, run.waits, now);
  }
}

function failure(
  platform: string,
  detail: string,
  run: Pick<RunRow, 'topic_id' | 'topic'>,
  standing: Standing,
): Verdict {
  if (detail === overCap) return verdict('over_cap');
  if (detail === overTopicCap) return verdict('over_topic_cap', { detail: run.topic ?? '' });
  if (detail === unsubscribed) return unsubscribedVerdict(standing);
  if (detail === leftTopic) return leftVerdict(run, standing);
  if (detail === suppressed) return verdict('suppressed');
  return verdict('refused', { platform, detail });
}

/** Without a time if the client has come back since. */
const unsubscribedVerdict = ({ everything }: Standing): Verdict =>
  verdict('unsubscribed', { until: everything?.at ?? null, by: everything?.by ?? null });

function leftVerdict({ topic_id, topic }: Pick<RunRow, 'topic_id' | 'topic'>, { topics }: Standing): Verdict {
  const left = topics.find(({ id }) => id === topic_id);
  return verdict('left_topic', { detail: topic ?? '', until: left?.at ?? null, by: left?.by ?? null });
}

function waiting(
  { platform, is_leased, due_at, state_detail: detail }: MessageRow,
  waits: readonly string[],
  now: Date,
): Verdict {
  if (is_leased || due_at === null) return verdict('sending', { platform });
  const until = due_at.toISOString();
  if (waits.includes(until)) return verdict('quiet', { until });
  if (due_at <= now) return verdict('queued', { platform });
  return verdict(detail === '' ? 'scheduled' : 'retried', { platform, detail, until });
}

/** Why a run of a mailing has no message for a client. */
export function outcomeWithout(
  run: RunRow,
  client: { created_at: Date },
  chats: readonly ChatRow[],
  standing: Standing,
): Verdict {
  const began = run.started_at;
  if (client.created_at > began) return verdict('later');
  const platforms: readonly string[] = platformsOf(run);
  const possible = chats.filter((chat) => platforms.includes(chat.platform) && chat.created_at <= began);
  if (possible.length === 0) return verdict('no_chat');
  const isBefore = (left: { at: string } | null | undefined) => left && new Date(left.at) <= run.ended_at;
  if (isBefore(standing.everything)) return unsubscribedVerdict(standing);
  if (isBefore(standing.topics.find(({ id }) => id === run.topic_id))) return leftVerdict(run, standing);
  if (standing.listed.length > 0) return verdict('suppressed');
  if (possible.every(({ stopped_at }) => stopped_at !== null)) return verdict('blocked');
  if (run.problem !== null) return verdict('left_out', { detail: run.problem });
  if (run.is_planning) return verdict('not_yet');
  if (run.is_testing) return verdict('awaits_test');
  if (run.state === 'stopped' || run.state === 'error') {
    return verdict('ended_early', { detail: run.state_detail });
  }
  return verdict('not_in_audience');
}
