/** What is known of a channel's pace, in messages a second. */
export type Pace = {
  /** Null where the provider has shown no limit. */
  rate: number | null;
  /** What the provider documents; null where it documents nothing. */
  ceiling: number | null;
  /** Seconds until it sends again, where the provider has asked for a pause. */
  pauseSeconds: number;
};

/** Where a provider sets no limit, its own answers do: a cautious guess. */
const withoutLimit = 500;
/** A channel that was slowed down finds its way back by so much a second; see the claim of sending. */
const recovery = Math.log(1.02);
/** Above this a channel without a documented limit has none any more. */
const highestLearnt = 2_000;

/** Seconds until a channel has sent so many messages. */
export function secondsFor(messages: number, { rate, ceiling, pauseSeconds }: Pace): number {
  return Math.max(0, pauseSeconds) + (messages > 0 ? sendingSeconds(messages, rate, ceiling) : 0);
}

function sendingSeconds(messages: number, rate: number | null, ceiling: number | null): number {
  if (rate === null) return messages / withoutLimit;
  const top = Math.max(rate, ceiling ?? highestLearnt);
  const untilTop = (top - rate) / recovery;
  if (messages <= untilTop) return Math.log(1 + (messages * recovery) / rate) / recovery;
  return Math.log(top / rate) / recovery + (messages - untilTop) / top;
}

/** Whether it is between ten in the evening and eight in the morning there. Unknown zones are never. */
export function isNight(timezone: string, moment: Date): boolean {
  try {
    const hour = Number(
      new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: timezone }).format(moment),
    );
    return hour >= 22 || hour < 8;
  } catch {
    return false;
  }
}
