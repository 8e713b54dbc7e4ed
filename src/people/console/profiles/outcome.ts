import { platformsOf } from '../../../mailings/audience.ts';
import { overCap } from '../../../mailings/frequency-cap.ts';
import { unsubscribed } from '../../../messaging/chats/unsubscribe-store.ts';
import type { ChatRow, MessageRow, RunRow } from './outcomes-store.ts';
import type { Outcome, OutcomeCode } from './schema.ts';

/** What became of a message or of a mailing for one client. The page makes a sentence of it. */
type Verdict = Pick<Outcome, 'code' | 'detail' | 'until' | 'platform'>;

const verdict = (code: OutcomeCode, more: Partial<Verdict> = {}): Verdict => ({
  code,
  detail: '',
  until: null,
  platform: null,
  ...more,
});

/** @param waits The moments until which messages wait for the end of quiet hours. */
export function outcomeOfMessage(message: MessageRow, waits: readonly string[], now: Date): Verdict {
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
      return failure(platform, detail);
    default:
      return waiting(message, waits, now);
  }
}

function failure(platform: string, detail: string): Verdict {
  if (detail === overCap) return verdict('over_cap');
  if (detail === unsubscribed) return verdict('unsubscribed');
  return verdict('refused', { platform, detail });
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
): Verdict {
  const began = run.started_at;
  if (client.created_at > began) return verdict('later');
  const platforms: readonly string[] = platformsOf(run);
  const possible = chats.filter((chat) => platforms.includes(chat.platform) && chat.created_at <= began);
  if (possible.length === 0) return verdict('no_chat');
  if (chats.some(({ unsubscribed_at }) => unsubscribed_at !== null)) return verdict('unsubscribed');
  if (possible.every(({ stopped_at }) => stopped_at !== null)) return verdict('blocked');
  if (run.problem !== null) return verdict('left_out', { detail: run.problem });
  if (run.is_planning) return verdict('not_yet');
  if (run.state === 'stopped' || run.state === 'error') {
    return verdict('ended_early', { detail: run.state_detail });
  }
  return verdict('not_in_audience');
}
